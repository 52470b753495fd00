#include "mount/admission.h"

#include "mount/queue_comments.h"
#include "mount/request.h"

namespace wm::mount {

namespace {

void refuse(Admission& admission, Millis retry_after) {
    admission.problem = Problem::circuit_open;
    admission.retry_after = retry_after;
}

void pass_circuit(const Call& call, Admission& admission) {
    auto admitted = call.mount.breaker->admit();
    if (auto* pass = std::get_if<Breaker::Pass>(&admitted)) {
        admission.pass = std::move(*pass);
        return;
    }
    admission.permit.release();
    refuse(admission, std::get<Millis>(admitted));
}

runtime::Task<> wait(const Call& call, std::string_view route, Admission& admission) {
    const auto& settings = call.mount.limits.settings();
    auto& gate = *call.mount.limits.gate();
    const auto timeout = settings.queue_timeout > Millis(0) ? settings.queue_timeout : runtime::forever;
    gate::Wait wait{.part = *admission.part, .ticket = call.ticket(gate.waiting()), .route = route};
    if (settings.queue_depth > 0) wait.depth = settings.queue_depth;
    const QueueComments comments(call);
    const auto since = call.loop.clock().now();
    auto granted = co_await gate.acquire(call.loop, call.abort, timeout, wait);
    admission.waited = std::chrono::duration_cast<Millis>(call.loop.clock().now() - since);
    switch (granted.status) {
    case runtime::Io::ok: admission.permit = std::move(granted.permit); break;
    case runtime::Io::timed_out: admission.problem = Problem::queue_timeout; break;
    case runtime::Io::failed: admission.problem = Problem::queue_full; break;
    default: admission.client_gone = true;
    }
}

} // namespace

runtime::Task<Admission> admit(const Call& call) {
    const auto& limits = call.mount.limits;
    Admission admission;
    const auto need = limits.needed(call.head.method(), path_behind(call.mount, call.path));
    if (need) {
        admission.part = need->part;
        if (auto permit = limits.gate()->try_acquire(*admission.part))
            admission.permit = std::move(*permit);
        else if (const auto closed_for = call.mount.breaker->refusal())
            refuse(admission, *closed_for);
        else
            co_await wait(call, need->route, admission);
    }
    if (admission.problem == Problem::none && !admission.client_gone) pass_circuit(call, admission);
    co_return admission;
}

Prospect prospect(const Mount& mount, std::string_view method, std::string_view path) {
    Prospect out;
    out.need = mount.limits.needed(method, path_behind(mount, path));
    out.retry_after = mount.breaker->refusal();
    if (out.retry_after) {
        out.problem = Problem::circuit_open;
        return out;
    }
    const auto& gate = *mount.limits.gate();
    out.waits = out.need && !gate.has_room(out.need->part);
    const auto depth = mount.limits.settings().queue_depth;
    if (out.waits && depth > 0 && gate.waiting() >= depth) out.problem = Problem::queue_full;
    return out;
}

} // namespace wm::mount
