#pragma once
// Readiness by epoll, edge-triggered and registered once for each descriptor: no call to change interest, ever.
#include "runtime/io.h"
#include <cstdint>

namespace wm::runtime {

class Watcher {
  public:
    // [loop thread] Edges since the last call. No coroutine runs and no watcher is destroyed in here (completions
    // go to the loop's ready list), so an event can never reach a descriptor that was closed or reused meanwhile.
    virtual void on_ready(bool in, bool out, bool hangup) = 0;

  protected:
    ~Watcher() = default;
};

class Poller {
  public:
    Poller();
    ~Poller();
    Poller(const Poller&) = delete;

    void add(int fd, Watcher& watcher);
    void remove(int fd); // before closing: a duplicate elsewhere would keep the registration alive
    void wait(Millis limit);

  private:
    int fd_;
};

} // namespace wm::runtime
