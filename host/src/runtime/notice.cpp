#include "runtime/notice.h"

namespace wm::runtime {

void Notice::raise() {
    std::lock_guard lock(mutex_);
    version_.fetch_add(1, std::memory_order_release);
    drain<QueuedWaiter::Place>(waiting_, [](QueuedWaiter::Place& p) { static_cast<Changed&>(p.owner).deliver(); });
}

bool Notice::Changed::attach() {
    std::lock_guard lock(mutex_);
    if (notice_.version() != seen_) return false;
    notice_.waiting_.append(place_);
    return true;
}

} // namespace wm::runtime
