#pragma once
// One event loop a thread. Only the loop resumes coroutines, from its ready list; everything but post, stop and
// deliver belongs to the loop's own thread. The loop outlives all that refers to it.
#include "base/clock.h"
#include "runtime/abort.h"
#include "runtime/poller.h"
#include "runtime/wheel.h"
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace wm::runtime {

// Something the loop will run: a coroutine to resume.
class Runnable : public Link {
  public:
    virtual void run() = 0; // already unlinked

  protected:
    Runnable() = default;
    ~Runnable() = default;
};

class Loop final : private Watcher {
  public:
    // Throws std::system_error when out of descriptors. At a GlancedClock it looks twice a turn, and all that runs in
    // the turn sees the same time: a request asks for it some twenty times.
    explicit Loop(const Clock& clock) : Loop(clock, nullptr) {}
    explicit Loop(GlancedClock& clock) : Loop(clock, &clock) {}
    ~Loop();

    void run();                     // until stop() was called and every Abort is gone
    void run_once(Millis max_wait); // one turn, for tests; waits (in real time) for at most max_wait
    void stop();                    // [any thread]
    bool stopping() const { return stopping_; }
    void post(std::function<void()> f); // [any thread] f runs on the loop, in order; it must not throw
    const Clock& clock() const { return clock_; }

    // For awaitables.
    void deliver(Runnable& r); // [any thread] r runs on the loop and must stay alive until then
    void ready(Runnable& r) { ready_.append(r); }
    void arm(WheelEntry& entry, Millis timeout) {
        if (timeout != forever) wheel_.arm(entry, clock_.now(), timeout);
    }
    void watch(int fd, Watcher& watcher) { poller_.add(fd, watcher); }
    void unwatch(int fd) { poller_.remove(fd); }
    bool spend_turn() { return --turns_ > 0; }                                   // false: let others run first
    void spend_bytes(std::size_t moved) { turns_ -= int(moved / bytes_a_turn); } // moving many is many operations' work
    std::span<char> scratch() { return {scratch_.get(), scratch_size}; }         // for one call, never across an await

  private:
    friend class Abort;
    Loop(const Clock& clock, GlancedClock* glanced);
    static constexpr std::size_t scratch_size = 64 * 1024;
    // Operations a coroutine may finish at once before the others get their turn: without it, one client that
    // pipelines keeps the loop for itself.
    static constexpr int turns = 64;
    static constexpr std::size_t bytes_a_turn = 4096;

    void on_ready(bool in, bool out, bool hangup) override; // a wake-up from another thread
    void turn(Millis max_wait);
    void glance() {
        if (glanced_) glanced_->glance();
    }
    void take_inbox();
    void run_ready();
    void begin_stop();

    const Clock& clock_;
    GlancedClock* const glanced_;
    Poller poller_;
    Wheel wheel_;
    Link ready_;
    Link aborts_;
    int turns_ = turns;
    bool stopping_ = false;
    std::unique_ptr<char[]> scratch_;

    std::mutex mutex_; // all below but the descriptor
    bool stop_ = false;
    Link inbox_;
    std::vector<std::function<void()>> posted_;
    int wake_fd_;
};

} // namespace wm::runtime
