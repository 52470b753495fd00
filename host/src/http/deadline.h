#pragma once
#include "base/clock.h"

#include <algorithm>

namespace wm::http {

inline SteadyTime after(SteadyTime now, Millis timeout) { // "for ever" must not overflow
    return now + std::min<Millis>(timeout, std::chrono::hours(24 * 365));
}

// What is left until a deadline, as a timeout for one await: never more than `most`, and at least one tick, so that an
// await that can finish at once still does.
inline Millis until(SteadyTime deadline, SteadyTime now, Millis most = Millis::max()) {
    const auto left = std::chrono::duration_cast<Millis>(deadline - now);
    return std::clamp(left, Millis(1), std::max(most, Millis(1)));
}

} // namespace wm::http
