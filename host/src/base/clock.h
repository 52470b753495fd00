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

// Moves only when told to.
class ManualClock final : public Clock {
  public:
    SteadyTime now() const override { return SteadyTime(Millis(ms_.load())); }
    std::int64_t wall_ms() const override { return 1'700'000'000'000 + ms_.load(); }
    void advance(Millis by) { ms_ += by.count(); }

  private:
    std::atomic<std::int64_t> ms_{1'000'000};
};

} // namespace wm
