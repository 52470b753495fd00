#pragma once
#include "base/clock.h"

#include <optional>
#include <string>

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
    queue_timeout,    // the permits did not come in time
    unreachable,      // no connection: name, port, TLS
    no_answer,        // a connection, but no answer that can be passed on
    too_slow,         // connecting, or the answer's head, took too long
    bad_body,         // the request's chunks are malformed
    slow_body,        // the request's body stopped coming
    unserved_upgrade, // the upstream switched to what nobody asked for
    unsendable,       // the request's head cannot be written
};

struct Outcome {
    End end = End::answered;
    Problem problem = Problem::none;
    int status = 0;                       // of the upstream's answer; 0: none came
    bool switched = false;                // to the upgraded protocol, which the client was told
    std::optional<SteadyTime> first_byte; // when the answer's head was there
    Millis waited{0};                     // at gates
    bool attempted = false;               // it got past them
    std::string detail;                   // for a log: without URL, query, field or body
};

} // namespace wm::mount
