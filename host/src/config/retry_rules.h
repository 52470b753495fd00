#pragma once
#include "base/clock.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wm::config {

// When a mount sends a request again.
struct RetryRules {
    std::optional<unsigned> most;            // retry: how often, 429 apart; none: any number
    bool on_5xx = true, on_transport = true; // retry_on
    bool on_429 = false;                     // retry_on, or retry_skip_429 = no
    std::uint64_t max_body = 5u << 20;       // of a request; a longer one is sent once
    Millis wait_min{500}, wait_max{30'000};  // doubling from one to the other
    Millis min_delay{1'000};                 // no wait is shorter
    Millis max_time{300'000};                // from the first failure to the last retry; 0: any time
    Millis after_cap{60'000};                // the most that a Retry-After makes a wait longer; 0: any time
    std::vector<Millis> waits_429;           // instead of the doubling; the last one stays
    Millis max_time_429{60'000};             // from the first 429; 0: any time
    std::vector<std::string> exhausted_429{"insufficient_quota"}; // in its body: waiting would not help

    bool any() const { return most != 0u && (on_5xx || on_transport || on_429); }
};

} // namespace wm::config
