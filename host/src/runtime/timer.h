#pragma once
#include "runtime/loop.h"
#include "runtime/waiter.h"
#include <functional>
#include <memory>

namespace wm::runtime {

// [loop thread] Calls f every period, counted from the end of the last wait, until destroyed. f may destroy the
// timer. It does not keep a stopping loop running.
class Timer final : private WheelEntry, private Runnable {
  public:
    Timer(Loop& loop, Millis period, std::function<void()> f);

  private:
    void expired() override;
    void run() override;
    Loop& loop_;
    const Millis period_;
    std::shared_ptr<const std::function<void()>> call_; // shared with the running call, which may end the timer
};

class [[nodiscard]] Sleep final : public Waiter {
  public:
    Sleep(Loop& loop, Abort& abort, Millis time) : Waiter(loop, abort, time) {}
    Io await_resume() const { return status_ == Io::timed_out ? Io::ok : status_; }

  private:
    bool attach() override { return true; }
    bool detach() override { return true; }
};

inline Sleep sleep(Loop& loop, Abort& abort, Millis time) { return {loop, abort, time}; } // ok or cancelled

} // namespace wm::runtime
