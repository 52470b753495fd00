#include "mount/attempt.h"

#include "http/deadline.h"

namespace wm::mount {

namespace {

using runtime::Io;

constexpr Millis stale_within{1'000}; // a kept connection that was closed is found so at once

// An upstream that could not be spoken to; whether the request goes out again.
Attempted unspoken(const Call& call, const Outgoing& outgoing, Retries& retries, Outcome outcome) {
    Attempted attempted{std::move(outcome), std::nullopt, false};
    if (!outgoing.repeatable()) return attempted;
    const auto at = retries.next(Verdict::transport, std::nullopt, call.loop.clock().now());
    if (at && retries.leave(Verdict::transport, std::nullopt)) attempted.retry_at = at;
    return attempted;
}

} // namespace

runtime::Task<Attempted> attempt_on(const Call& call, Outgoing& outgoing, Retries& retries, bool fresh,
                                    SteadyTime deadline) {
    const auto& clock = call.loop.clock();
    if (!outgoing.repeatable()) // never a body without its head: it would be read as one
        co_return Attempted{failed(Problem::unsendable, "the request was not kept"), std::nullopt, false};
    runtime::Abort attempt(call.loop);
    const runtime::AbortLink link(call.abort, attempt);
    const auto& settings = call.mount.settings;
    const auto connect = http::until(deadline, clock.now(), settings.connect);
    auto lease = co_await call.upstreams.lease(call.mount.origin, attempt, connect, fresh || !settings.keep_alives);
    if (lease.status == Io::cancelled) co_return Attempted{client_gone(), std::nullopt, false};
    if (lease.status != Io::ok) {
        if (lease.failed_at == http::ConnectStep::local)
            co_return Attempted{failed(Problem::starved, lease.failure), std::nullopt, false};
        const auto problem = lease.status == Io::timed_out ? Problem::too_slow : Problem::unreachable;
        co_return unspoken(call, outgoing, retries, failed(problem, lease.failure));
    }

    if (!lease.reused && !settings.retry.any()) outgoing.send_once(); // a fresh connection is never stale
    const auto began = clock.now();
    Upload upload(call, *lease.connection, outgoing, attempt);
    runtime::Beside beside(call.loop);
    Conversation conversation(call, *lease.connection, outgoing, upload, beside, attempt, retries, deadline);
    Attempted attempted;
    std::exception_ptr error; // the upload lives in this frame: whatever happens, it is waited for
    try {
        attempted.outcome = co_await conversation.run();
    } catch (...) {
        error = std::current_exception();
    }
    if (beside.running()) attempt.fire(); // the answer is over: the rest of the request is of no use
    co_await beside.join();
    if (error) std::rethrow_exception(error);

    const bool unanswered = attempted.outcome.problem == Problem::no_answer;
    attempted.retry_at = conversation.retry_at();
    if (attempted.retry_at && !outgoing.repeatable()) { // more of the body came until the upload ended than is kept
        attempted.retry_at.reset();
        attempted.outcome =
            failed(Problem::no_answer, "it asked for another try, but the request was too long to keep");
        attempted.outcome.verdict = Verdict::abandoned; // its circuit was told already
    }
    attempted.stale = unanswered && lease.reused && !fresh && outgoing.repeatable() && !lease.connection->answered() &&
                      clock.now() - began < stale_within;
    if (upload.complete() && settings.keep_alives)
        http::UpstreamConnection::give_back(std::move(lease.connection), call.mount.most_idle);
    if (unanswered && !attempted.stale) co_return unspoken(call, outgoing, retries, std::move(attempted.outcome));
    co_return attempted;
}

} // namespace wm::mount
