#include "mount/settle.h"

#include "mount/give_back.h"

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
    if (!admission.part) return;
    give_back(call.loop, call.mount.limits.gate(), *admission.part, std::move(admission.permit),
              call.mount.settings.holds, outcome.verdict, penalty);
}

} // namespace wm::mount
