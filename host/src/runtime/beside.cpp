#include "runtime/beside.h"

namespace wm::runtime {

void Beside::start(Task<> task) { drive(*this, std::move(task)); }

Detached Beside::drive(Beside& self, Task<> task) {
    self.running_ = true; // only now: where there is no memory for this frame, nothing runs that could be waited for
    try {
        co_await task;
    } catch (...) {
        self.error_ = std::current_exception();
    }
    self.running_ = false;
    if (self.joiner_) self.loop_.ready(self); // it may go from here on
}

} // namespace wm::runtime
