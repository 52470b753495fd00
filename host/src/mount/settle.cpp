#include "mount/settle.h"

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

namespace {

// What is left of the wait that an answer asked for.
std::optional<Millis> remaining(const Outcome& outcome, SteadyTime now) {
    if (!outcome.retry_after || !outcome.first_byte) return std::nullopt;
    return std::chrono::ceil<Millis>(*outcome.retry_after - (now - *outcome.first_byte));
}

} // namespace

void settle(const Call& call, Admission admission, const Outcome& outcome) {
    Millis penalty(0);
    if (admission.pass) penalty = admission.pass->settle(outcome.verdict, remaining(outcome, call.loop.clock().now()));
    if (!admission.part) return;
    const auto& gate = call.mount.limits.gate();
    const auto& holds = call.mount.settings.holds;
    if (outcome.verdict == Verdict::throttled && holds.adaptive_headroom)
        for (const auto part : {gate::whole, *admission.part})
            gate::withhold(call.loop, gate, part, holds.adaptive_headroom_window);
    gate::hold(call.loop, gate, std::move(admission.permit), hold_after(holds, outcome.verdict, penalty));
}

} // namespace wm::mount
