#include "mount/admission.h"

#include "http/deadline.h"
#include "mount/request.h"

#include <optional>

namespace wm::mount {

namespace {

using Permits = std::array<gate::Gate::Permit, 2>;

// Takes what is not held yet; the first gate that is full, if one is. Then nothing is held any more.
std::optional<std::size_t> take_all(const Limits::Needed& gates, Permits& held) {
    for (std::size_t i = 0; i < gates.size(); ++i) {
        if (!gates[i] || held[i]) continue;
        auto permit = gates[i]->try_acquire();
        if (!permit) {
            for (auto& one : held) one.release();
            return i;
        }
        held[i] = std::move(*permit);
    }
    return std::nullopt;
}

} // namespace

runtime::Task<Admission> admit(const Call& call) {
    const auto& limits = call.mount.limits;
    const auto gates = limits.needed(call.head.method(), path_behind(call.mount, call.head.path()));
    Admission admission;
    auto full = take_all(gates, admission.permits);
    if (!full) co_return admission;

    const auto place = limits.place();
    if (!place) {
        admission.problem = Problem::queue_full;
        co_return admission;
    }
    const auto ticket = call.ticket(limits.waiting());
    const auto& clock = call.loop.clock();
    const auto since = clock.now();
    const auto timeout = limits.settings().queue_timeout;
    const auto deadline = http::after(since, timeout > Millis(0) ? timeout : runtime::forever);
    while (full) {
        auto granted =
            co_await gates[*full]->acquire(call.loop, call.abort, http::until(deadline, clock.now()), ticket);
        admission.waited = std::chrono::duration_cast<Millis>(clock.now() - since);
        if (granted.status != runtime::Io::ok) {
            if (granted.status == runtime::Io::timed_out)
                admission.problem = Problem::queue_timeout;
            else
                admission.client_gone = true;
            co_return admission;
        }
        admission.permits[*full] = std::move(granted.permit);
        full = take_all(gates, admission.permits);
    }
    co_return admission;
}

} // namespace wm::mount
