#pragma once
// One exchange between a client and an upstream of different protocols.
//
// Order of calls: request() for each attempt; then, once its answer comes, begin_answer(), answer() for each frame or
// for the whole document, end() when the upstream's body is over; close() instead of what is left, when it failed.
// Thread: one call at a time, on whatever thread.
#include "plugin/talk.h"
#include "translate/approvals.h"
#include "translate/losses.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wm::translate {

// A side's protocol, and the capabilities it is spoken with.
struct Speaker {
    Speaker(const plugin::Transcoder& the_protocol, const plugin::TalkOptions* the_options = nullptr)
        : protocol(the_protocol), options(the_options) {}
    const plugin::Transcoder& protocol;
    const plugin::TalkOptions* options; // null: its defaults
};

// Why a request cannot be translated.
struct Untranslated {
    bool client_fault = false; // it is malformed, or asks for what the target's protocol cannot do
    std::string where;         // the member: may reach the client
    std::string message;       // for a log
};

// What a frame, a document or the end of an upstream's answer came to. The verdict is that of the frames given out; of
// an error that the upstream reports nothing has gone to the client.
using Progress = plugin::TapReport;

class Translation {
  public:
    // A frame for the client's stream, or all of its document with an empty name.
    using Give = std::function<void(std::string_view name, std::string_view data)>;

    // The client's transcoder outlives it.
    static plugin::Called<std::unique_ptr<Translation>>
    open(Speaker client, const plugin::TalkParams& params, const Approvals& approvals = Approvals::of_served_models());

    // The request in the protocol of `upstream`. `max_output`: the limit to ask for where the client set none and the
    // protocol needs one. Losses are those of this request from here on.
    Result<std::string, Untranslated> request(std::string_view body, Speaker upstream, const plugin::TalkParams& params,
                                              std::optional<std::uint64_t> max_output);

    plugin::Fault begin_answer(plugin::TalkMode mode);
    // Both: `refused` where a loss of the answer is not approved; `where` is what would be lost.
    plugin::Called<Progress> answer(std::string_view name, std::string_view data, framing::FrameKind kind,
                                    const Give& give);
    plugin::Called<Progress> end(const Give& give); // `bad_input`: the answer was cut
    // Ends the client's stream with an error, as its protocol has it.
    plugin::Fault close(const plugin::ErrorReport& error, const Give& give);

    // What the request lost outside its body. False: it is not approved.
    bool lose(std::string_view key, std::string_view path) {
        losses_.add(key, path, false);
        return approvals_.request_may_lose(key);
    }

    const Losses& losses() const { return losses_; }
    bool finished() const { return finished_; } // the answer is complete but for what may follow its end

  private:
    class RequestJoin;
    class AnswerJoin;

    Translation(const plugin::TranscoderFacts& protocol, std::unique_ptr<plugin::Talk> client,
                const Approvals& approvals)
        : protocol_(protocol), approvals_(approvals), client_(std::move(client)) {}
    void seal(const wm_event& piece);
    void end_seal(std::uint32_t node, plugin::PinList& pins);
    template <class Read>
    plugin::Called<Progress> pump(const Give& give, Read&& read);

    const plugin::TranscoderFacts& protocol_; // the client's
    const Approvals approvals_;
    std::unique_ptr<plugin::Talk> client_, upstream_;
    Losses losses_;
    std::vector<std::pair<std::uint32_t, plugin::PinDigester>> sealed_; // reasoning of open blocks, by node
    bool finished_ = false;
};

} // namespace wm::translate
