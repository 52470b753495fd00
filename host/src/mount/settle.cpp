#include "mount/settle.h"

#include "gate/hold.h"
#include "mount/holds.h"

namespace wm::mount {

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
    const auto time = hold_after(call.mount.settings.holds, outcome.verdict, penalty);
    gate::hold(call.loop, call.mount.limits.gate(), std::move(admission.permit), time);
}

} // namespace wm::mount
