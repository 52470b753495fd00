#pragma once
#include "runtime/waiter.h"
#include <atomic>
#include <cstdint>
#include <mutex>

namespace wm::runtime {

// [any thread] "Something changed": tells all who listen, on any loop. Nobody misses a change: read version(), look at
// the state, then listen, or await changed(), with that version. Outlives its listeners and awaits.
class Notice {
  public:
    std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
    void raise();

    class Listener : public Link {
      public:
        // [any thread] Once; already unlinked. A mutex is held, so it cannot go away in between.
        virtual void raised() = 0;

      protected:
        Listener() = default;
        ~Listener() = default;
    };
    bool listen(Listener& listener, std::uint64_t seen); // false: it is not `seen` any more
    bool forget(Listener& listener);                     // false: it was told, or never listened

    class Changed;
    Changed changed(Loop& loop, Abort& abort, std::uint64_t seen, Millis timeout); // -> Io; ok at once if not `seen`

  private:
    std::mutex mutex_; // listeners_; version_ changes under it too
    Link listeners_;
    std::atomic<std::uint64_t> version_{0};
};

class [[nodiscard]] Notice::Changed final : public Waiter, private Listener {
  public:
    Changed(Notice& n, Loop& loop, Abort& abort, std::uint64_t seen, Millis timeout)
        : Waiter(loop, abort, timeout), notice_(n), seen_(seen) {}
    Io await_resume() const { return status_; }

  private:
    bool attempt() override { return notice_.version() != seen_; }
    bool attach() override { return notice_.listen(*this, seen_); }
    bool detach() override { return notice_.forget(*this); }
    void raised() override { deliver(); }
    Notice& notice_;
    const std::uint64_t seen_;
};

inline Notice::Changed Notice::changed(Loop& loop, Abort& abort, std::uint64_t seen, Millis timeout) {
    return {*this, loop, abort, seen, timeout};
}

} // namespace wm::runtime
