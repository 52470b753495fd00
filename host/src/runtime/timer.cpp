#include "runtime/timer.h"

namespace wm::runtime {

Timer::Timer(Loop& loop, Millis period, std::function<void()> f)
    : loop_(loop), period_(period), call_(std::make_shared<const std::function<void()>>(std::move(f))) {
    loop_.arm(*this, period_);
}

void Timer::expired() { loop_.ready(*this); }

void Timer::run() {
    loop_.arm(*this, period_);
    const auto call = call_;
    (*call)();
}

} // namespace wm::runtime
