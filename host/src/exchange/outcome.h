#pragma once
// The one value that says what became of an attempt: circuit, records, the next step and the final answer all read
// it, and none of them guesses from a status code.
#include "base/failure_class.h"
#include "base/pair.h"
#include "plugin/calls.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wm::exchange {

enum class Stage : unsigned char { prepare, connect, head, body, stream };

constexpr std::string_view to_string(Stage stage) {
    constexpr std::string_view names[] = {"prepare", "connect", "head", "body", "stream"};
    return names[static_cast<unsigned char>(stage)];
}

// How a connection failed; none: it is not what failed; local: nobody was asked, see AttemptFailure::starved.
enum class Transport : unsigned char { none, dns, connect, tls, reset, eof, timeout, protocol, local };

constexpr std::string_view to_string(Transport transport) { // in the words of a failure policy
    constexpr std::string_view names[] = {"", "dns", "connect", "tls", "reset", "eof", "timeout", "protocol", "local"};
    return names[static_cast<unsigned char>(transport)];
}

// What went wrong on an attempt, before and after it was classified.
struct AttemptFailure {
    Stage stage = Stage::prepare;
    Transport transport = Transport::none;
    int status = 0; // of the upstream's head; 0: none came

    bool starved() const {
        return transport == Transport::local;
    }                           // nobody was asked, for want of descriptors or ports here
    plugin::ErrorReport report; // what the upstream said of it, where that could be located
    std::vector<Pair> fields;   // of the upstream's head, those a client may see
    std::string detail;         // for a log: no content
    FailureClass what = FailureClass::local;
    bool retry_in_place = false, fall_back = false;
    std::optional<std::int64_t> hint_ms; // Retry-After to honour
};

enum class AttemptEnd : unsigned char {
    answered,    // the client has the whole answer
    failed,      // nothing was committed: another target may answer
    broken_off,  // it failed after commitment; the client's stream was closed in its protocol
    client_gone, // cancelled: nobody waits for it, or a drain ended (Context::cut)
};

// Small, for it lies in the frames of coroutines that wait: what went wrong is the rare case.
struct Outcome {
    AttemptEnd end = AttemptEnd::answered;
    std::unique_ptr<AttemptFailure> failure; // exactly for failed and broken_off

    static Outcome failed(AttemptFailure why) {
        return {AttemptEnd::failed, std::make_unique<AttemptFailure>(std::move(why))};
    }
    static Outcome broken_off(AttemptFailure why) {
        return {AttemptEnd::broken_off, std::make_unique<AttemptFailure>(std::move(why))};
    }
    static Outcome gone() { return {AttemptEnd::client_gone, nullptr}; }
    static Outcome sent(bool ok) { return ok ? Outcome{} : gone(); }
};

} // namespace wm::exchange
