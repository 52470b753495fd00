#pragma once
// An upstream's 2xx on its way to the client: held until commitment, then passed on as it comes, while a tap watches.
#include "exchange/context.h"
#include "exchange/heartbeat.h"
#include "http/upstream.h"

namespace wm::exchange {

// What one try works with.
struct Upstream {
    const config::Timeouts& timeouts;
    const config::TranscodeBounds& bounds;
    const plugin::Transcoder& protocol; // it was asked in
    std::string_view model;
    std::uint32_t retries; // on its target: 0 at first
    bool asked_usage;
    const plugin::BoundAdapter* adapter; // null: a mount's
    framing::Framing framing;            // of a streamed answer
    http::UpstreamConnection& connection;
    std::unique_ptr<http::UpstreamConnection>* lease; // null: a mount's
    const http::ResponseHead& head;
    SteadyTime deadline; // of the whole attempt
    Chosen* chosen;      // null: a mount's

    bool expired(SteadyTime now) const { return now >= deadline; }
    SteadyTime last_write() const {
        return deadline + Millis(1'000);
    } // a stream that is cut by it still has to be closed
    Millis patience(SteadyTime now, Millis silence) const {
        const auto left = std::chrono::duration_cast<Millis>(deadline - now);
        return std::clamp(left, Millis(0), silence);
    }
};

// Is it asked in another protocol than the client's?
inline bool translated(const Context& x, const Upstream& up) { return &up.protocol != x.protocol; }

// Books what a frame, a document or the end of the answer tells beside its content: usage, and what was made.
void book(Context& x, const Upstream& up, const plugin::TapReport& report);

// Does its adapter unwrap what it answers? Not where the protocol's reader frames.
inline bool unframes(const Upstream& up) {
    return up.adapter && up.adapter->unframes() && up.framing != framing::Framing::raw;
}

runtime::Task<Outcome> relay_document(Context& x, const Upstream& up);
runtime::Task<Outcome> relay_translated_document(Context& x, const Upstream& up);
runtime::Task<Outcome> relay_stream(Context& x, const Upstream& up, Heartbeat* heartbeat);

inline constexpr const char* not_a_document = "a document was asked for, and the answer is a stream";

// Appends the upstream's document, until it ends or is larger than `most`: then `more`.
runtime::Task<http::BodyPiece> read_document(Context& x, const Upstream& up, std::string& document, std::size_t most);

// As much of a provider's error document as a policy may read, in little time: status and fields say most.
struct ErrorDocument {
    std::string text; // at most 16 KiB
    bool whole = false;
    bool client_gone = false;
};
runtime::Task<ErrorDocument> read_error_document(Context& x, const Upstream& up);
// The same where `begun` has been read already; `over`: that was all.
runtime::Task<ErrorDocument> read_error_document(Context& x, const Upstream& up, std::string begun, bool over);

// What it says, read by the protocol that the upstream was asked in; under a 2xx also behind what its adapter takes
// off.
std::optional<plugin::ErrorReport> error_in(const Context& x, const Upstream& up, const ErrorDocument& document);

// From here on no other target may answer. A probe has told what it was sent for.
void commit(Context& x, const Upstream& up);

// Its answer has come whole and is good: connection, permit and circuit need not wait for a client that reads slowly.
void upstream_done(Context& x, const Upstream& up);

// How a body that should have gone on ended.
Transport transport_of(http::BodyPiece piece);

// Of an answer that could not be read or written: the upstream's, unless it was ours.
AttemptFailure unusable(Stage stage, int status, const plugin::PluginError& error, std::string_view what);

AttemptFailure failed_at(Stage stage, Transport transport, int status, std::string detail);
AttemptFailure error_under_success(Stage stage, int status, std::optional<plugin::ErrorReport> report);

} // namespace wm::exchange
