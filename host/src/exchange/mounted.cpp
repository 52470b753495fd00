#include "exchange/mounted.h"

#include "exchange/mounted_translation.h"
#include "mount/forward.h"
#include "mount/request.h"

#include <Poco/Logger.h>

namespace wm::exchange {

namespace {

using mount::End;
using mount::Problem;

std::optional<FailureClass> failure_of(const mount::Outcome& outcome) {
    switch (outcome.end) {
    case End::answered: return std::nullopt;
    case End::client_gone: return FailureClass::client_cancelled;
    case End::broken_off: return FailureClass::stream_failure;
    case End::failed: break;
    }
    switch (outcome.problem) {
    case Problem::bad_body:
    case Problem::slow_body: return FailureClass::client_request;
    case Problem::queue_full:
    case Problem::queue_timeout:
    case Problem::circuit_open:
    case Problem::starved:
    case Problem::unserved_upgrade:
    case Problem::untold:
    case Problem::unsendable: return FailureClass::local;
    default: return FailureClass::transport;
    }
}

std::optional<FailureClass> failure_of(mount::Verdict verdict) {
    switch (verdict) {
    case mount::Verdict::server_error: return FailureClass::provider_transient;
    case mount::Verdict::throttled: return FailureClass::provider_capacity;
    case mount::Verdict::transport: return FailureClass::transport;
    default: return std::nullopt;
    }
}

void book_attempts(Context& x, const mount::Outcome& outcome) {
    for (const auto& one : outcome.tries) {
        const bool last = &one == &outcome.tries.back();
        const auto past = [now = x.now()](SteadyTime t) { return std::chrono::duration_cast<Millis>(now - t).count(); };
        std::optional<std::int64_t> first_byte;
        if (one.first_byte) first_byte = past(one.began) - past(*one.first_byte);
        x.attempts.push_back({.sequence = std::uint32_t(x.attempts.size() + 1),
                              .backend = x.mount->settings.name,
                              .started_at_ms = x.wall_ms() - past(one.began),
                              .total_ms = past(one.began) - past(one.ended),
                              .status = one.status,
                              .failure = last ? x.failure : failure_of(one.verdict),
                              .first_byte_ms = first_byte,
                              .committed = last && x.committed});
    }
}

void note_failure(const Context& x, const mount::Outcome& outcome) {
    static auto& log = Poco::Logger::get("exchange");
    if (outcome.end == End::client_gone || !x.failure || !log.information()) return;
    log.information(x.id + ": mount " + x.mount->settings.name + " failed, status " + std::to_string(outcome.status) +
                    ": " + std::string(to_string(*x.failure)) +
                    (outcome.detail.empty() ? "" : " (" + outcome.detail + ")"));
}

policy::Rank rank_on_mount(const Context& x, unsigned waiting) {
    const auto& limits = x.mount->settings.limits;
    return x.policies().rank({.priority = to_string(x.principal.priority),
                              .principal = x.principal.name,
                              .protocol = x.protocol->about().id},
                             {.name = x.mount->settings.name,
                              .order = limits.queue_order.word(),
                              .promote_after = limits.queue_order.promote_after,
                              .limit = limits.pools.front().size,
                              .waiting = waiting});
}

} // namespace

std::optional<Refusal> refusal_of(const mount::Outcome& outcome) {
    switch (outcome.problem) {
    case Problem::none: return std::nullopt;
    case Problem::queue_full:
        return Refusal{
            .code = Code::queue_full, .message = "too many requests are waiting already", .retry_after_s = 1};
    case Problem::queue_timeout:
        return Refusal{.code = Code::queue_timeout, .message = "no upstream became free in time"};
    case Problem::circuit_open:
        return Refusal{.code = Code::circuit_open,
                       .message = "the upstream has failed too often; it is left alone for a time",
                       .retry_after_s = int((outcome.retry_after.value_or(Millis(0)).count() + 999) / 1000)};
    case Problem::starved: return starved();
    case Problem::unreachable:
        return Refusal{.code = Code::upstream_failed, .message = "the upstream could not be reached"};
    case Problem::no_answer:
        return Refusal{.code = Code::upstream_failed, .message = "the upstream gave no usable answer"};
    case Problem::unserved_upgrade:
        return Refusal{.code = Code::upstream_failed,
                       .message = "the upstream switched to another protocol than was asked for"};
    case Problem::no_stream:
        return Refusal{.code = Code::upstream_failed, .message = "the upstream answered with no event stream"};
    case Problem::too_slow:
        return Refusal{.code = Code::upstream_timeout, .message = "the upstream did not answer in time"};
    case Problem::bad_body:
        return Refusal{.code = Code::bad_framing, .message = "the request body's chunks are malformed"};
    case Problem::slow_body:
        return Refusal{.code = Code::request_timeout, .message = "the request body did not arrive in time"};
    case Problem::unsendable: return Refusal{.code = Code::internal, .message = "the request could not be forwarded"};
    case Problem::bad_answer:
        return Refusal{.code = Code::upstream_failed, .message = "the upstream's answer could not be used"};
    case Problem::untold:
        return Refusal{.code = Code::untranslatable, .message = "the upstream's answer could not be told"};
    }
    return std::nullopt;
}

runtime::Task<std::optional<Refusal>> answer_from_mount(Context& x) {
    if (mount::hops_left(x.head) == 0) {
        const PairView fields[] = {{"Allow", mount::methods}};
        co_await x.connection.respond(204, fields, {});
        co_return std::nullopt;
    }
    const auto withheld = meant_for_the_gateway(x.settings(), x.head);
    std::optional<MountedTranslation> translation;
    if (x.transcode) {
        auto prepared = co_await translation.emplace(x, withheld).prepare();
        if (prepared.client_gone) x.failure = FailureClass::client_cancelled;
        if (prepared.refusal || prepared.client_gone) co_return std::move(prepared.refusal);
    }
    policy::Rank rank; // outlives the wait
    const std::function<gate::Ticket(unsigned)> ticket = [&](unsigned waiting) {
        rank = rank_on_mount(x, waiting);
        return gate::Ticket{rank.priority_class, rank.turn, rank.weight, rank.promote_after};
    };
    x.connection.watch_client(true); // from here a client that leaves cancels what runs for it
    const mount::Call call{.mount = *x.mount,
                           .loop = x.worker.loop,
                           .upstreams = x.worker.upstreams,
                           .client = x.connection,
                           .counts = x.worker.counts.provider(x.mount->settings.name),
                           .abort = x.abort,
                           .head = x.head,
                           .path = x.path,
                           .withheld = withheld,
                           .body_silence = x.settings().server.body_timeout,
                           .body_total = x.settings().server.body_total,
                           .held = x.held,
                           .random = x.worker.random,
                           .ticket = ticket,
                           .conversion = translation ? &*translation : nullptr};
    const auto outcome = co_await mount::serve(call);
    x.connection.watch_client(false);

    x.waited = outcome.waited;
    x.limited = outcome.limited;
    const bool broken = outcome.end == End::failed && x.connection.begun(); // comments of the queue were sent
    x.aborted = broken || outcome.problem == Problem::unserved_upgrade;
    x.failure = failure_of(outcome);
    x.first_byte = outcome.first_byte;
    const bool early = outcome.end == End::failed || outcome.status == 0; // only comments of the queue were sent
    x.committed = x.connection.begun() && !early;
    book_attempts(x, outcome);
    if (x.transcode)
        for (auto& one : x.attempts) one.protocol = x.transcode->upstream->about().id;
    note_failure(x, outcome);
    if (outcome.end == End::client_gone && x.cut()) { // a drain's end: the client is still there
        x.failure = FailureClass::local;
        if (!x.committed) co_return draining();
        x.error_code = about(Code::draining).name;
        x.connection.abandon();
    }
    if (outcome.end != End::failed) co_return std::nullopt;
    if (translation && outcome.problem == Problem::untold) co_return translation->untold();
    co_return refusal_of(outcome);
}

} // namespace wm::exchange
