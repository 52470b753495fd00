#include "mount/give_back.h"

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

void give_back(runtime::Loop& loop, const std::shared_ptr<gate::Gate>& gate, gate::Part part, gate::Gate::Permit permit,
               const config::Holds& holds, Verdict verdict, Millis penalty) {
    if (verdict == Verdict::throttled && holds.adaptive_headroom)
        for (const auto of : {gate::whole, part}) gate::withhold(loop, gate, of, holds.adaptive_headroom_window);
    gate::hold(loop, gate, std::move(permit), hold_after(holds, verdict, penalty));
}

} // namespace wm::mount
