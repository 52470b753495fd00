#include "runtime/beside.h"

namespace wm::runtime {

void Beside::start(Task<> task) {
    running_ = true;
    drive(*this, std::move(task));
}

Detached Beside::drive(Beside& self, Task<> task) {
    try {
        co_await task;
    } catch (...) {
        self.error_ = std::current_exception();
    }
    self.running_ = false;
    if (self.joiner_) self.loop_.ready(self); // it may go from here on
}

} // namespace wm::runtime
