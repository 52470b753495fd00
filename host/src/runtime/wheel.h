#pragma once
// Timer wheel: constant-time arming and leaving for tens of thousands of timeouts that mostly never expire.
// One thread. Nothing expires early; it expires at the first advance after its time, rounded up to a tick.
#include "runtime/io.h"
#include "runtime/link.h"
#include <array>
#include <cstdint>

namespace wm::runtime {

class WheelEntry : public Link {
  public:
    virtual void expired() = 0; // already unlinked; must not destroy other entries
    std::uint64_t due = 0;      // tick; the wheel's

  protected:
    WheelEntry() = default;
    ~WheelEntry() = default;
};

class Wheel {
  public:
    static constexpr Millis tick{10};

    explicit Wheel(SteadyTime now) : start_(now) {}
    void arm(WheelEntry& entry, SteadyTime now, Millis timeout); // re-arms an entry that is armed
    void advance(SteadyTime now);                                // calls expired() on what is due
    Millis until_next(SteadyTime now) const; // how long a wait may be; `forever` if nothing is armed

  private:
    static constexpr std::size_t slots = 1024;
    std::uint64_t ticks(SteadyTime now) const { return std::uint64_t((now - start_) / tick); }

    const SteadyTime start_;
    std::uint64_t now_ = 0;
    std::array<Link, slots> wheel_;
    std::array<std::uint64_t, slots / 64> occupied_{}; // a set bit may be stale, a clear one never is
};

} // namespace wm::runtime
