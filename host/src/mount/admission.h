#pragma once
// A request's way through the gate of its mount.
#include "mount/forward.h"

namespace wm::mount {

struct Admission {
    Problem problem = Problem::none; // queue_full, queue_timeout or circuit_open: nothing is held
    bool client_gone = false;
    Millis waited{0};
    std::optional<gate::Part> part; // none: the request is exempt
    gate::Gate::Permit permit;      // of it; goes back when it goes
    std::optional<Breaker::Pass> pass;
    std::optional<Millis> retry_after; // of circuit_open
};

// Waits for the permit. An open circuit refuses the request before it waits, and looks at it again when it has waited:
// so nobody queues in vain, no probe ages in the queue, and no queue empties into a failed upstream.
runtime::Task<Admission> admit(const Call& call);

// What admit() would come to now, without taking anything.
struct Prospect {
    Problem problem = Problem::none;
    bool waits = false;
    std::optional<Limits::Need> need;
    std::optional<Millis> retry_after; // of circuit_open
};
Prospect prospect(const Mount& mount, std::string_view method, std::string_view path);

} // namespace wm::mount
