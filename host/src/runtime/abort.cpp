#include "runtime/abort.h"
#include "runtime/loop.h"

namespace wm::runtime {

Abort::Abort(Loop& loop) : fired_(loop.stopping()) { loop.aborts_.append(*this); }

void Abort::fire() {
    fired_ = true;
    drain<AbortEntry>(entries_, [](AbortEntry& e) { e.aborted(); });
}

AbortLink::AbortLink(Abort& outer, Abort& inner) : inner_(inner) {
    if (outer.fired())
        inner.fire();
    else
        outer.add(*this);
}

} // namespace wm::runtime
