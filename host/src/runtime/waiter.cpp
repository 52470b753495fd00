#include "runtime/waiter.h"

namespace wm::runtime {

bool Waiter::await_ready() {
    if (abort_.fired()) return status_ = Io::cancelled, true;
    done_ = attempt();
    return done_ && loop_.spend_turn();
}

bool Waiter::await_suspend(std::coroutine_handle<> h) {
    handle_ = h;
    if (done_) return loop_.ready(*this), true; // only to give the others a turn
    if (!attach()) return false;
    loop_.arm(*this, timeout_);
    abort_.add(*this);
    return true;
}

void Waiter::finish(Io status) {
    if (!detach()) return; // its source was faster
    status_ = status;
    WheelEntry::unlink();
    AbortEntry::unlink();
    loop_.ready(*this);
}

void Waiter::run() {
    WheelEntry::unlink();
    AbortEntry::unlink();
    handle_.resume();
}

} // namespace wm::runtime
