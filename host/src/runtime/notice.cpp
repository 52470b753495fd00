#include "runtime/notice.h"

namespace wm::runtime {

void Notice::raise() {
    std::lock_guard lock(mutex_);
    version_.fetch_add(1, std::memory_order_release);
    drain<Listener>(listeners_, [](Listener& listener) { listener.raised(); });
}

bool Notice::listen(Listener& listener, std::uint64_t seen) {
    std::lock_guard lock(mutex_);
    if (version() != seen) return false;
    listeners_.append(listener);
    return true;
}

bool Notice::forget(Listener& listener) {
    std::lock_guard lock(mutex_);
    if (listener.alone()) return false;
    listener.unlink();
    return true;
}

} // namespace wm::runtime
