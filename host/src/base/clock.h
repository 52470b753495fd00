#pragma once
// Time as a value that tests can set. Every part of the host that waits or stamps takes a Clock.
#include <atomic>
#include <chrono>
#include <cstdint>

namespace wm {

using Millis = std::chrono::milliseconds;
using SteadyTime = std::chrono::steady_clock::time_point;

// [any thread] `now` never goes back and is for waiting; `wall_ms` is Unix time, for stamps and for deadlines
// that outlive the process.
class Clock {
  public:
    virtual ~Clock() = default;
    virtual SteadyTime now() const = 0;
    virtual std::int64_t wall_ms() const = 0;
};

class SystemClock final : public Clock {
  public:
    SteadyTime now() const override { return std::chrono::steady_clock::now(); }
    std::int64_t wall_ms() const override {
        using namespace std::chrono;
        return duration_cast<Millis>(system_clock::now().time_since_epoch()).count();
    }
};

// What another clock showed when it was last looked at: for who needs the time often and a moment's staleness does no
// harm. Looked at by one thread, read by any.
class GlancedClock final : public Clock {
  public:
    explicit GlancedClock(const Clock& clock) : clock_(clock) { glance(); }
    void glance() {
        now_.store(clock_.now(), std::memory_order_relaxed);
        wall_ms_.store(clock_.wall_ms(), std::memory_order_relaxed);
    }
    SteadyTime now() const override { return now_.load(std::memory_order_relaxed); }
    std::int64_t wall_ms() const override { return wall_ms_.load(std::memory_order_relaxed); }

  private:
    const Clock& clock_;
    std::atomic<SteadyTime> now_;
    std::atomic<std::int64_t> wall_ms_;
};

} // namespace wm
