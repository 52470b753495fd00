#include "mount/forward.h"

#include "http/deadline.h"
#include "mount/admission.h"
#include "mount/attempt.h"
#include "mount/holds.h"
#include "mount/queue_comments.h"
#include "mount/request.h"
#include "mount/settle.h"
#include "runtime/timer.h"

namespace wm::mount {

namespace {

// False: the client left meanwhile.
runtime::Task<bool> wait_until(const Call& call, SteadyTime at) {
    const auto now = call.loop.clock().now();
    if (at <= now) co_return !call.abort.fired();
    const auto slept = co_await runtime::sleep(call.loop, call.abort, http::until(at, now));
    co_return slept == runtime::Io::ok;
}

Result<Outgoing, std::string> outgoing_of(const Call& call) {
    if (call.conversion) return Outgoing::complete(call.conversion->take_request(), call.held);
    auto head = head_for_upstream(call.mount, call.head, call.path, call.withheld);
    if (!head) return Failure{std::move(head.error())};
    return Outgoing(std::move(*head), call.mount.settings.retry.max_body, call.body_total, call.held);
}

// The permit is held throughout: whoever waits for it would only meet the same upstream.
runtime::Task<Outcome> forward(const Call& call, Admission& admission) {
    auto made = outgoing_of(call);
    if (!made) co_return failed(Problem::unsendable, made.error());
    auto& outgoing = *made;
    const auto& rules = call.mount.settings.retry;
    const bool too_long = !outgoing.whole() && call.head.content_length() > rules.max_body;
    const bool unknown = !outgoing.whole() && call.head.framing() == http::Framing::chunked;
    const auto& clock = call.loop.clock();
    const auto deadline = http::after(clock.now(), call.mount.settings.total);
    if (too_long) outgoing.send_once();
    Retries retries(rules, deadline, call.random, *admission.pass);
    std::vector<Try> tries;
    std::optional<metrics::During> retrying;
    // What cannot be kept goes out on a fresh connection, where no answer means what it says.
    for (bool fresh = too_long || unknown;;) {
        const auto began = clock.now();
        auto attempted = co_await attempt_on(call, outgoing, retries, fresh, deadline);
        fresh = fresh || attempted.stale;
        if (attempted.stale) continue;
        auto& outcome = attempted.outcome;
        tries.push_back({began, clock.now(), outcome.status, outcome.verdict, outcome.first_byte});
        if (admission.part)
            leave_headroom(call.loop, call.mount.limits.gate(), {gate::whole, *admission.part},
                           call.mount.settings.holds, outcome.verdict);
        if (attempted.retry_at) {
            if (!retrying) retrying.emplace(call.counts.retrying);
            if (co_await wait_until(call, *attempted.retry_at)) continue;
            admission.pass->settle(Verdict::abandoned, std::nullopt); // the try that does not come
            outcome = client_gone();
            outcome.verdict = tries.back().verdict; // the upstream had failed before
        }
        outcome.tries = std::move(tries);
        co_return std::move(outcome);
    }
}

} // namespace

runtime::Task<Outcome> serve(const Call& call) {
    auto admission = co_await admit(call);
    Outcome outcome;
    if (admission.client_gone)
        outcome = client_gone();
    else if (admission.problem != Problem::none)
        outcome = failed(admission.problem, "");
    else {
        const metrics::During active(call.counts.active);
        outcome = co_await forward(call, admission);
    }
    outcome.attempted = !admission.client_gone && admission.problem == Problem::none;
    if (!outcome.attempted) outcome.verdict = Verdict::untried;
    outcome.limited = admission.part && *admission.part != gate::whole;
    outcome.waited = admission.waited;
    if (admission.problem == Problem::circuit_open) outcome.retry_after = admission.retry_after;
    settle(call, std::move(admission), outcome);
    if (outcome.end == End::failed && call.client.begun()) co_await call.client.send(failure_comment(outcome.problem));
    co_return outcome;
}

} // namespace wm::mount
