#pragma once
#include "base/clock.h"

#include <csignal>
#include <optional>

namespace wm::app {

// The signals that a serving process is told things with: SIGHUP to reload; SIGINT, SIGTERM and SIGQUIT to end. They
// are blocked for this thread and every one it starts, so that only wait() takes them. Make it before any other thread.
class Signals {
  public:
    Signals();
    std::optional<int> wait(Millis most) const; // nothing: none came in this time

  private:
    sigset_t set_;
};

} // namespace wm::app
