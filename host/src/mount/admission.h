#pragma once
// A request's way through the gates of its mount.
#include "mount/forward.h"

namespace wm::mount {

struct Admission {
    Problem problem = Problem::none; // queue_full or queue_timeout: nothing is held
    bool client_gone = false;
    Millis waited{0};
    std::array<gate::Gate::Permit, 2> permits; // go back when it goes
};

// Waits until every permit is there. While it waits for one, it holds no other.
runtime::Task<Admission> admit(const Call& call);

} // namespace wm::mount
