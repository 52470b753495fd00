#pragma once
#include "runtime/waiter.h"
#include <atomic>
#include <cstdint>
#include <mutex>

namespace wm::runtime {

// [any thread] "Something changed": wakes all who wait, on any loop. Nobody misses a change: read version(), look at
// the state, then await changed() with that version. Outlives its awaits.
class Notice {
  public:
    std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
    void raise();
    class Changed;
    Changed changed(Loop& loop, Abort& abort, std::uint64_t seen, Millis timeout); // -> Io; ok at once if not `seen`

  private:
    std::mutex mutex_; // waiting_; version_ changes under it too
    Link waiting_;
    std::atomic<std::uint64_t> version_{0};
};

class [[nodiscard]] Notice::Changed final : public QueuedWaiter {
  public:
    Changed(Notice& n, Loop& loop, Abort& abort, std::uint64_t seen, Millis timeout)
        : QueuedWaiter(loop, abort, timeout, n.mutex_), notice_(n), seen_(seen) {}
    Io await_resume() const { return status_; }

  private:
    friend class Notice;
    bool attempt() override { return notice_.version() != seen_; }
    bool attach() override;
    Notice& notice_;
    const std::uint64_t seen_;
};

inline Notice::Changed Notice::changed(Loop& loop, Abort& abort, std::uint64_t seen, Millis timeout) {
    return {*this, loop, abort, seen, timeout};
}

} // namespace wm::runtime
