#pragma once
// What spares an upstream that counts late, or fails.
#include "base/clock.h"

namespace wm::config {

// How long a permit stays with nobody after a request. 0: not at all.
struct Holds {
    Millis settle{0};               // after a success, before release_cooldown
    Millis release_cooldown{200};   // after every request, on top of the others
    Millis cancel_cooldown{200};    // after one that this side broke off
    Millis failure_hold{2'000};     // after a failure, unless the breaker's penalty holds
    bool adaptive_headroom = false; // a permit less after a 429
    Millis adaptive_headroom_window{30'000};
};

struct Breaker {
    bool on = true;
    unsigned threshold = 5; // failures within the window
    Millis window{30'000};
    Millis open_timeout{10'000}, max_open_timeout{120'000}; // doubles with each failed probe
    Millis penalty{2'000}, max_penalty{60'000};             // grows with each failure in a row
};

} // namespace wm::config
