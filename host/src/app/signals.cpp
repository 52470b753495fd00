#include "app/signals.h"

#include <pthread.h>

namespace wm::app {

Signals::Signals() {
    sigemptyset(&set_);
    for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGQUIT}) sigaddset(&set_, signal);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
}

std::optional<int> Signals::wait(Millis most) const {
    const timespec time{most.count() / 1000, most.count() % 1000 * 1'000'000};
    const int signal = sigtimedwait(&set_, nullptr, &time);
    return signal < 0 ? std::nullopt : std::optional(signal);
}

} // namespace wm::app
