#include "runtime/loop.h"
#include "runtime/io.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace wm::runtime {

namespace {
thread_local Loop* running = nullptr; // on this thread, now

class Running {
  public:
    explicit Running(Loop& loop) : outer_(std::exchange(running, &loop)) {
        // Writing to a peer that has gone is an error to be told, not a signal; OpenSSL cannot ask for that itself.
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    }
    ~Running() { running = outer_; }
    Running(const Running&) = delete;

  private:
    Loop* const outer_;
};

} // namespace

Loop::Loop(const Clock& clock, GlancedClock* glanced)
    : clock_(clock), glanced_(glanced), wheel_(clock.now()),
      scratch_(std::make_unique_for_overwrite<char[]>(scratch_size)),
      wake_fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (wake_fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    poller_.add(wake_fd_, *this);
}

Loop::~Loop() { ::close(wake_fd_); }

void Loop::run() {
    const Running here(*this);
    do turn(forever);
    while (!stopping_ || !aborts_.alone());
}

void Loop::run_once(Millis max_wait) {
    const Running here(*this);
    turn(max_wait);
}

void Loop::turn(Millis max_wait) {
    glance(); // a turn may have been long
    poller_.wait(ready_.alone() ? std::min(max_wait, wheel_.until_next(clock_.now())) : Millis(0));
    glance();
    take_inbox();
    wheel_.advance(clock_.now());
    run_ready();
}

void Loop::on_ready(bool in, bool, bool) {
    eventfd_t count;
    if (in) ::eventfd_read(wake_fd_, &count);
}

void Loop::take_inbox() {
    std::vector<std::function<void()>> calls;
    bool stop;
    {
        std::lock_guard lock(mutex_);
        ready_.take_all(inbox_);
        calls.swap(posted_);
        stop = stop_;
    }
    if (stop && !stopping_) begin_stop();
    for (auto& f : calls) f();
}

void Loop::run_ready() {
    drain<Runnable>(ready_, [this](Runnable& r) {
        turns_ = turns;
        r.run();
    });
}

void Loop::begin_stop() {
    stopping_ = true;
    for (auto* a = aborts_.next; a != &aborts_; a = a->next) static_cast<Abort*>(a)->fire();
}

// The wake-up is written with the mutex held: once the loop has seen what was added, the caller no longer touches it,
// and the loop may end.
void Loop::stop() {
    std::lock_guard lock(mutex_);
    stop_ = true;
    ::eventfd_write(wake_fd_, 1);
}

void Loop::post(std::function<void()> f) {
    std::lock_guard lock(mutex_);
    posted_.push_back(std::move(f));
    if (posted_.size() == 1) ::eventfd_write(wake_fd_, 1);
}

void Loop::deliver(Runnable& r) {
    if (running == this) return ready_.append(r);
    std::lock_guard lock(mutex_);
    if (inbox_.alone()) ::eventfd_write(wake_fd_, 1);
    inbox_.append(r);
}

} // namespace wm::runtime
