#pragma once
#include "base/clock.h"

#include <optional>
#include <string>
#include <vector>

namespace wm::mount {

enum class End : unsigned char {
    answered,    // the client has the whole answer, or the upgraded connection has ended
    client_gone, // it left, or took no more of its answer
    broken_off,  // the upstream failed after its answer had begun; the client sees a cut one
    failed,      // nothing was sent to the client: `problem` says what to tell it
};

enum class Problem : unsigned char {
    none,
    queue_full,       // too many wait already
    queue_timeout,    // the permit did not come in time
    circuit_open,     // the upstream has failed too often
    starved,          // no connection, for want of descriptors or ports here
    unreachable,      // no connection: name, port, TLS
    no_answer,        // a connection, but no answer that can be passed on
    too_slow,         // connecting, or the answer's head, took too long
    bad_body,         // the request's chunks are malformed
    slow_body,        // the request's body stopped coming
    unserved_upgrade, // the upstream switched to what nobody asked for
    no_stream,        // its answer is none, but the client's has begun as one, with comments
    unsendable,       // the request's head cannot be written
    bad_answer,       // a success whose body breaks its own contract, or the kind of answer that was asked for
    untold,           // an answer as it should be, which cannot be told in the client's form
};

// What a try says of the upstream; verdict.h says when.
enum class Verdict : unsigned char {
    untried,      // nothing: it was not asked
    success,      // the whole answer came, and it was none of the failures below; or an upgrade was completed
    server_error, // 5xx
    throttled,    // 429
    banned,       // 403 that names a rate limit; any other is the client's
    malformed,    // a success whose body breaks its own contract
    transport,    // no connection, no answer, or one that broke off
    abandoned,    // nothing: the client or the gateway ended it before it could tell
};

constexpr bool is_failure(Verdict verdict) { return verdict >= Verdict::server_error && verdict <= Verdict::transport; }

// One sending of the request.
struct Try {
    SteadyTime began, ended;
    int status = 0; // 0: it had no answer
    Verdict verdict = Verdict::untried;
    std::optional<SteadyTime> first_byte; // when its answer's head was there
};

struct Outcome {
    End end = End::answered;
    Problem problem = Problem::none;
    Verdict verdict = Verdict::untried;   // of the last try
    int status = 0;                       // of the upstream's answer; 0: none came
    std::optional<Millis> retry_after;    // what that asked for, counted from first_byte; or what an open circuit does
    bool switched = false;                // to the upgraded protocol, which the client was told
    std::optional<SteadyTime> first_byte; // when the answer's head was there
    Millis waited{0};                     // at gates
    bool limited = false;                 // it needed a permit of a pool
    bool attempted = false;               // it got past them
    std::vector<Try> tries;               // the last one is the one this tells of, unless the client left after it
    std::string detail;                   // for a log: without URL, query, field or body
};

} // namespace wm::mount
