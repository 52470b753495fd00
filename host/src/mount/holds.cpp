#include "mount/holds.h"

#include "gate/hold.h"

namespace wm::mount {

Millis hold_after(const config::Holds& holds, Verdict verdict, Millis penalty) {
    if (verdict == Verdict::untried) return Millis(0); // the upstream counts nothing
    auto time = holds.release_cooldown;
    if (verdict == Verdict::success)
        time += holds.settle;
    else if (verdict == Verdict::abandoned)
        time += holds.cancel_cooldown;
    else
        time += penalty > Millis(0) ? penalty : holds.failure_hold;
    return time;
}

void leave_headroom(runtime::Loop& loop, const std::shared_ptr<gate::Gate>& gate, std::initializer_list<gate::Part> of,
                    const config::Holds& holds, Verdict verdict) {
    if (verdict != Verdict::throttled || !holds.adaptive_headroom) return;
    for (const auto part : of) gate::withhold(loop, gate, part, holds.adaptive_headroom_window);
}

} // namespace wm::mount
