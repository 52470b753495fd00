#pragma once
// Typed calls into plugin tables. Nothing outside this folder sees a wm_* table.
//
// Threads: Transcoder, BoundAdapter: any thread, concurrently. Tap: one call at a time.
// Lifetimes: views passed in need to live for the call only; everything returned is owned by the caller.
// Errors: PluginError.where may be shown to a client, PluginError.message only to a log.
#include "base/pair.h"
#include "base/rate_limit.h"
#include "base/result.h"
#include "framing/framing.h"
#include "plugin/facts.h"
#include "plugin/pin.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wm::plugin {

struct PluginError {
    std::int32_t status = 0; // a wm_status, never WM_OK
    std::string where;       // member path without values; may reach a client
    std::string message;     // for logs
};

template <class T>
using Called = Result<T, PluginError>;

struct RequestView {
    std::string_view method, path, query;
    std::span<const PairView> headers;        // never credentials
    std::string_view operation, handle, body; // handle: what the operation's path captured, or empty
    std::int64_t now_ms = 0;
};

struct RequestFacts {
    std::string model;
    bool stream = false;
    bool usage_asked = true; // false: the client does not expect usage in its stream
    std::optional<std::uint64_t> max_output;
    std::uint64_t text_bytes = 0; // without media
    PinList pins = {};            // what it continues: at most most_pins, what binds most last
    PinList carried = {};         // likewise, what is needed only where its own protocol is not spoken
};

struct Usage { // absent is unknown, never zero; input includes cached and cache-write tokens
    std::optional<std::uint64_t> input, input_cached, input_cache_write, output, output_reasoning;
    void merge(const Usage& later); // last wins, member by member
};

// An error as canonical events say it.
struct ErrorReport {
    std::string type;    // a word of the registry: "rate_limit", "overloaded", ...
    int http_status = 0; // 0: none known
    std::string message, code, param;
    std::string refused_by; // "gateway" or "provider"
};

// Verdict bits, as in the ABI.
enum Verdict : std::uint32_t { preamble = 1, semantic = 2, terminal = 4, error = 8, withhold = 16, idle = 32 };

struct TapReport {
    std::uint32_t verdict = 0;
    Usage usage;
    std::optional<ErrorReport> error;
    PinList pins = {}; // that the answer made
};

struct OutFrame {
    std::string name, data;
    std::uint32_t flags = 0;
};

struct TapEnd {
    std::uint32_t verdict = 0;    // terminal: the stream was complete; error: it was cut
    std::vector<OutFrame> frames; // what closes the client's stream legally; empty where nothing is missing
};

struct TalkParams {
    std::string_view exchange, operation, model;
    std::int64_t now_ms = 0;
    std::uint64_t max_held = 0;
    bool stream = false;
    bool usage_asked_by_gateway_alone = false; // of a tap: withhold it
    bool ask_usage = false;                    // of an upstream talk: its request asks for usage
    std::uint32_t attempt = 1;                 // 1 is the first
};

// Watches a native answer frame by frame.
class Tap {
  public:
    virtual ~Tap() = default;
    // One event of a stream (name may be empty), the whole body of a plain answer, or bytes it frames itself.
    virtual Called<TapReport> frame(std::string_view name, std::string_view data, framing::FrameKind kind) = 0;
    // How the stream ended; `error` null: the upstream ended by itself. With an error it may be asked once more, also
    // after a frame that could not be read: the client's stream has to be closed in any case.
    virtual Called<TapEnd> end(const ErrorReport* error) = 0;
};

enum class TalkRole : unsigned char;
class Talk; // talk.h

struct SettingProblem {
    std::string key, problem;
};

// Capabilities that a transcoder was bound to; immutable, any thread. It may not outlive its transcoder.
class TalkOptions {
  public:
    virtual ~TalkOptions() = default;
};

class Transcoder {
  public:
    virtual ~Transcoder() = default;
    virtual const TranscoderFacts& about() const = 0;
    virtual Called<RequestFacts> facts(const RequestView& request) const = 0;
    // The body with the model renamed and, where asked, usage requested; every other byte as it was.
    virtual Called<std::string> rewrite(const RequestView& request, std::string_view model, bool ask_usage) const = 0;
    virtual Called<std::unique_ptr<Tap>> open_tap(const TalkParams& params) const = 0;
    virtual Called<std::string> write_error(const ErrorReport& error) const = 0; // a JSON document
    // Only where about().translates.
    // Null with at least one problem. Settings are capabilities that the transcoder declares: name, `true` or `false`.
    virtual std::unique_ptr<TalkOptions> bind(std::span<const PairView> capabilities,
                                              std::vector<SettingProblem>& problems) const = 0;
    // `options`: of this transcoder; null: its defaults.
    virtual Called<std::unique_ptr<Talk>> open_talk(TalkRole role, const TalkParams& params,
                                                    const TalkOptions* options = nullptr) const = 0;
};

struct CallView {
    std::string_view protocol, operation, model, handle, exchange;
    std::span<const PairView> headers; // allowed client headers
    std::span<const PairView> query;   // allowed client query members
    std::string_view body;
    std::int64_t now_ms = 0;
    std::uint32_t attempt = 1; // 1 is the first
    bool stream = false;
};

struct SecretSlot {
    bool in_query = false;
    std::string name;   // header or query member
    std::string prefix; // "Bearer "
};

struct Prepared {
    std::string method, url;
    std::vector<Pair> headers;
    std::vector<SecretSlot> secrets;
    std::vector<Pair> members; // top-level body members to set (raw JSON) or, with an empty value, to remove
    framing::Framing framing = framing::Framing::sse; // of a streamed answer
};

struct ReplyView { // an answer's head
    int http_status = 0;
    std::span<const PairView> headers;
    std::int64_t now_ms = 0;
};

class BoundAdapter { // one per backend; immutable
  public:
    virtual ~BoundAdapter() = default;
    virtual const AdapterFacts& about() const = 0;
    virtual Called<Prepared> prepare(const CallView& call) const = 0;
    // What the provider says of the credential's quotas, by its own reading, which sees no credential, or by that of
    // its headers' family.
    virtual Called<RateLimits> observe(const ReplyView& reply) const = 0;
    // Whether `unframe` is to see each frame of an answer first.
    virtual bool unframes() const = 0;
    // The frames that one holds, at most `most` bytes of them. Only where it unframes.
    virtual Called<std::vector<OutFrame>> unframe(std::string_view name, std::string_view data, framing::FrameKind kind,
                                                  std::size_t most) const = 0;
};

class Adapter {
  public:
    virtual ~Adapter() = default;
    virtual const AdapterFacts& about() const = 0;
    // Null with at least one problem, or an instance with none.
    virtual std::unique_ptr<BoundAdapter> bind(std::span<const PairView> settings,
                                               std::vector<SettingProblem>& problems) const = 0;
};

} // namespace wm::plugin
