#pragma once
// A suspended operation: completed by its source, by its timeout or by its Abort, whichever is first.
// It lives in the awaiting coroutine's frame. Concrete awaitables add await_resume and the three hooks.
#include "runtime/abort.h"
#include "runtime/io.h"
#include "runtime/loop.h"
#include <coroutine>
#include <mutex>

namespace wm::runtime {

class Waiter : private Runnable, private AbortEntry, private WheelEntry {
  public:
    bool await_ready();
    bool await_suspend(std::coroutine_handle<> h);

  protected:
    Waiter(Loop& loop, Abort& abort, Millis timeout) : loop_(loop), abort_(abort), timeout_(timeout) {}
    ~Waiter() = default;

    virtual bool attempt() { return false; } // try to finish without waiting; true: finished, with status_
    virtual bool attach() = 0;               // register with the source; false: finished after all, with status_
    virtual bool detach() = 0;               // leave the source; false: a delivery is already on its way

    void finish(Io status);                  // [loop thread] completes what is attached
    void deliver() { loop_.deliver(*this); } // [any thread] completes, with status_, what the source has let go
    void restart_timeout() { restart_timeout(timeout_); } // [loop thread] progress was made
    void restart_timeout(Millis timeout) { loop_.arm(*this, timeout); }

    Loop& loop_;
    Io status_ = Io::ok;

  private:
    void run() override;
    void aborted() override { finish(Io::cancelled); }
    void expired() override { finish(Io::timed_out); }

    Abort& abort_;
    const Millis timeout_;
    std::coroutine_handle<> handle_;
    bool done_ = false;
};

// A waiter in a list that other threads serve under a mutex. The list's owner takes it out and calls deliver()
// with the mutex held, so it cannot go away in between; whoever unlinks it first has decided its outcome.
class QueuedWaiter : public Waiter {
  public:
    struct Place : runtime::Link {
        explicit Place(QueuedWaiter& o) : owner(o) {}
        QueuedWaiter& owner;
    };

  protected:
    QueuedWaiter(Loop& loop, Abort& abort, Millis timeout, std::mutex& mutex)
        : Waiter(loop, abort, timeout), mutex_(mutex) {}
    ~QueuedWaiter() = default;

    bool detach() final {
        std::lock_guard lock(mutex_);
        if (place_.alone()) return false;
        place_.unlink();
        withdrawn();
        return true;
    }
    virtual void withdrawn() {} // mutex held; left the list without being served

    std::mutex& mutex_;
    Place place_{*this};
};

} // namespace wm::runtime
