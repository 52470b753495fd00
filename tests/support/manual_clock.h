#pragma once
#include "base/clock.h"

#include <atomic>
#include <cstdint>

namespace wm {

// Moves only when told to.
class ManualClock final : public Clock {
  public:
    SteadyTime now() const override { return SteadyTime(Millis(ms_.load())); }
    std::int64_t wall_ms() const override { return set_ms_.load() + ms_.load(); }
    void advance(Millis by) { ms_ += by.count(); }
    void set_wall(Millis by) { set_ms_ += by.count(); } // forward or back, as who finds it wrong does

  private:
    std::atomic<std::int64_t> ms_{1'000'000}, set_ms_{1'700'000'000'000};
};

} // namespace wm
