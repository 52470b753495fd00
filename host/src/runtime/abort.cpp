#include "runtime/abort.h"
#include "runtime/loop.h"

namespace wm::runtime {

Abort::Abort(Loop& loop) : fired_(loop.stopping()) { loop.aborts_.append(*this); }

void Abort::fire() {
    fired_ = true;
    drain<AbortEntry>(entries_, [](AbortEntry& e) { e.aborted(); });
}

} // namespace wm::runtime
