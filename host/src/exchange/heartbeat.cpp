#include "exchange/heartbeat.h"

#include "exchange/reply.h"

namespace wm::exchange {

namespace {

Millis period_of(const Context& x) {
    const auto& first = x.model->layers.front().targets.front();
    return x.settings().backends[first.backend].timeouts.heartbeat;
}

} // namespace

// Looks four times a period, so that a pause is never much longer than one.
Heartbeat::Heartbeat(Context& x)
    : x_(x), period_(period_of(x)), last_(x.now()),
      timer_(x.worker.loop, std::max(period_ / 4, Millis(1)), [this] { tick(); }) {}

void Heartbeat::tick() {
    if (held_ || x_.now() - last_ < period_) return;
    const bool begun = x_.connection.begun();
    if (!begun && x_.lent > 0) return; // its head tells of what work on the pool may be changing: at the next look
    last_ = x_.now();
    if (!begun) begin_stream(x_, 200, {});
    x_.connection.post(": keep-alive\n\n");
}

} // namespace wm::exchange
