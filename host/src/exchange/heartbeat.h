#pragma once
// Keeps a streaming client's connection alive while nothing comes: a comment whenever it has heard nothing for one
// period. The first one sends the head: that commits the representation (200, an event stream), not the target.
#include "exchange/context.h"
#include "runtime/timer.h"

namespace wm::exchange {

class Heartbeat {
  public:
    explicit Heartbeat(Context& x);

    void sent() { last_ = x_.now(); }
    void hold(bool held) { held_ = held; } // in the middle of an event nothing may be put between its bytes

  private:
    void tick();

    Context& x_;
    const Millis period_;
    SteadyTime last_;
    bool held_ = false;
    runtime::Timer timer_;
};

} // namespace wm::exchange
