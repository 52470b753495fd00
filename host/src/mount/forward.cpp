#include "mount/forward.h"

#include "http/chunks.h"
#include "http/deadline.h"
#include "http/hop_by_hop.h"
#include "mount/admission.h"
#include "mount/request.h"
#include "mount/settle.h"
#include "mount/tunnel.h"
#include "mount/upload.h"
#include "mount/verdict.h"
#include "runtime/beside.h"

namespace wm::mount {

namespace {

using http::BodyPiece;
using http::HeadRead;
using runtime::Io;

constexpr std::uint64_t max_kept = 1u << 20; // of a body, in case a kept connection turns out closed
constexpr Millis stale_within{1'000};        // such a one is found so at once

Outcome failed(Problem problem, std::string_view detail) {
    Outcome outcome;
    outcome.end = End::failed;
    outcome.problem = problem;
    outcome.verdict = verdict_of(std::nullopt, outcome.end, problem);
    outcome.detail = detail;
    return outcome;
}

Outcome gone() {
    Outcome outcome;
    outcome.end = End::client_gone;
    outcome.verdict = verdict_of(std::nullopt, outcome.end, outcome.problem);
    return outcome;
}

Outcome of_fault(Upload::Fault fault) {
    switch (fault) {
    case Upload::Fault::bad_body: return failed(Problem::bad_body, "the request body's chunks are malformed");
    case Upload::Fault::slow_body: return failed(Problem::slow_body, "the request body stopped coming");
    default: return gone();
    }
}

// What a client gets of an answer's fields. Those of a switch of protocols, or a demand for one, go with it.
std::vector<PairView> fields_for_client(const http::ResponseHead& answer) {
    std::vector<PairView> fields;
    fields.reserve(answer.fields().size());
    const http::HopByHop hop(answer);
    const bool upgrades = answer.status() == 101 || answer.status() == 426;
    for (const auto& field : answer.fields()) {
        const bool kept = (upgrades && iequals(field.name, "upgrade")) ||
                          (answer.framing() == http::Framing::chunked && iequals(field.name, "trailer"));
        if (iequals(field.name, "x-watermaster-error")) continue; // says that an error is the gateway's own
        if (kept || !hop(field.name)) fields.push_back(field);
    }
    return fields;
}

std::optional<std::uint64_t> length_for_client(const http::ResponseHead& answer) {
    const bool declared = answer.framing() == http::Framing::length ||
                          (answer.framing() == http::Framing::none && answer.find("content-length")); // HEAD, 304
    return declared ? std::optional(answer.content_length()) : std::nullopt;
}

// One request over one connection.
class Conversation {
  public:
    Conversation(const Call& call, http::UpstreamConnection& upstream, Outgoing& outgoing, Upload& upload,
                 runtime::Beside& beside, runtime::Abort& attempt, SteadyTime deadline)
        : call_(call), upstream_(upstream), outgoing_(outgoing), upload_(upload), beside_(beside), attempt_(attempt),
          deadline_(deadline) {}

    runtime::Task<Outcome> run() {
        if (upload_.take_ready())
            co_await upload_.send_first();
        else if (upload_.fault() == Upload::Fault::none)
            beside_.start(upload_.run());
        if (auto ended = co_await read_head()) co_return std::move(*ended);
        outgoing_.forget(); // an answer may last for minutes
        const auto judged = judge(answer_, call_.loop.clock().wall_ms());
        auto rest = answer_.status() == 101 ? switch_protocols() : relay();
        auto result = co_await rest;
        result.verdict = verdict_of(judged.verdict, result.end, result.problem);
        result.status = answer_.status();
        result.retry_after = judged.retry_after;
        result.first_byte = first_byte_;
        co_return result;
    }

  private:
    Millis patience() const { return http::until(deadline_, call_.loop.clock().now(), call_.mount.settings.silence); }
    bool expired() const { return call_.loop.clock().now() >= deadline_; }

    // The final answer's head, in answer_; interim ones are passed on. Or how it ended.
    runtime::Task<std::optional<Outcome>> read_head() {
        for (;;) {
            const auto read = co_await upstream_.next_head(answer_, patience(), call_.head.is_head());
            if (read == HeadRead::timed_out && beside_.running() && !expired())
                continue; // the request is still on its way
            if (read != HeadRead::ok) co_return no_head(read);
            first_byte_ = call_.loop.clock().now();
            if (answer_.status() >= 200 || answer_.status() == 101) co_return std::nullopt;
            const auto fields = fields_for_client(answer_);
            const auto sent = co_await call_.client.interim(answer_.status(), fields);
            if (sent != Io::ok) co_return gone();
        }
    }

    Outcome no_head(HeadRead read) {
        if (call_.abort.fired()) return gone();
        if (upload_.fault() != Upload::Fault::none) return of_fault(upload_.fault());
        switch (read) {
        case HeadRead::timed_out: return failed(Problem::too_slow, "no answer in time");
        case HeadRead::closed:
            return failed(Problem::no_answer, "the upstream closed the connection without an answer");
        case HeadRead::cancelled: return gone();
        default: return failed(Problem::no_answer, upstream_.failure());
        }
    }

    runtime::Task<Outcome> switch_protocols() {
        const auto wanted = upgrade_of(call_.head), offered = trim(answer_.find("upgrade").value_or(""));
        if (wanted.empty() || !iequals(wanted, offered) || beside_.running()) // before the request's end is too early
            co_return failed(Problem::unserved_upgrade,
                             "the upstream switched protocols without being asked, or to another one");
        call_.client.watch_client(false); // from here a side may end its half alone
        const auto fields = fields_for_client(answer_);
        const auto sent = co_await call_.client.switch_protocols(fields);
        if (sent != Io::ok) co_return gone();
        co_await tunnel(call_, upstream_, attempt_);
        Outcome outcome;
        outcome.switched = true;
        co_return outcome;
    }

    runtime::Task<Outcome> relay() {
        const auto fields = fields_for_client(answer_);
        call_.client.begin(answer_.status(), fields, length_for_client(answer_));
        std::string bytes;
        auto piece = upstream_.read_ready(bytes);
        for (;;) {
            if (piece == BodyPiece::end) {
                const auto trailers = http::trailer_fields(upstream_.trailers());
                const auto sent = co_await call_.client.finish(bytes, trailers);
                if (sent != Io::ok) co_return gone();
                co_return Outcome{};
            }
            if (piece != BodyPiece::more) co_return broken_off(piece);
            const auto sent = co_await call_.client.send(bytes);
            if (sent != Io::ok) co_return gone();
            std::string().swap(bytes); // a stream may be silent for long
            piece = BodyPiece::timed_out;
            if (!expired()) piece = co_await upstream_.read_some(bytes, patience());
        }
    }

    Outcome broken_off(BodyPiece piece) {
        call_.client.abandon(); // a cut answer must not look whole
        if (piece == BodyPiece::cancelled && call_.abort.fired()) return gone();
        Outcome outcome;
        outcome.end = upload_.fault() == Upload::Fault::none ? End::broken_off : End::client_gone;
        outcome.detail = piece == BodyPiece::timed_out ? "the answer stopped coming" : std::string(upstream_.failure());
        return outcome;
    }

    const Call& call_;
    http::UpstreamConnection& upstream_;
    Outgoing& outgoing_;
    Upload& upload_;
    runtime::Beside& beside_;
    runtime::Abort& attempt_;
    const SteadyTime deadline_;
    http::ResponseHead answer_;
    std::optional<SteadyTime> first_byte_;
};

struct Attempted {
    Outcome outcome;
    bool stale = false; // the connection had been closed before the request came: nothing was said of the upstream
};

runtime::Task<Attempted> attempt_on(const Call& call, Outgoing& outgoing, bool fresh, SteadyTime deadline) {
    const auto& clock = call.loop.clock();
    runtime::Abort attempt(call.loop);
    const runtime::AbortLink link(call.abort, attempt);
    auto lease = co_await call.upstreams.lease(call.mount.origin, attempt,
                                               http::until(deadline, clock.now(), call.mount.settings.connect), fresh);
    if (lease.status == Io::cancelled) co_return Attempted{gone()};
    if (lease.status == Io::timed_out) co_return Attempted{failed(Problem::too_slow, lease.failure)};
    if (lease.status != Io::ok) co_return Attempted{failed(Problem::unreachable, lease.failure)};

    if (!lease.reused) outgoing.keep = false; // a fresh connection is never stale
    const auto began = clock.now();
    Upload upload(call, *lease.connection, outgoing, attempt);
    runtime::Beside beside(call.loop);
    Conversation conversation(call, *lease.connection, outgoing, upload, beside, attempt, deadline);
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

    attempted.stale = attempted.outcome.problem == Problem::no_answer && lease.reused && !fresh && outgoing.keep &&
                      !lease.connection->answered() && clock.now() - began < stale_within;
    if (upload.complete()) http::UpstreamConnection::give_back(std::move(lease.connection));
    co_return attempted;
}

} // namespace

runtime::Task<Outcome> serve(const Call& call) {
    auto admission = co_await admit(call);
    Outcome outcome;
    if (admission.client_gone)
        outcome = gone();
    else if (admission.problem != Problem::none)
        outcome = failed(admission.problem, "");
    else
        outcome = co_await forward(call);
    outcome.attempted = !admission.client_gone && admission.problem == Problem::none;
    if (!outcome.attempted) outcome.verdict = Verdict::untried;
    outcome.waited = admission.waited;
    if (admission.problem == Problem::circuit_open) outcome.retry_after = admission.retry_after;
    settle(call, std::move(admission), outcome);
    co_return outcome;
}

runtime::Task<Outcome> forward(const Call& call) {
    auto head = head_for_upstream(call.mount, call.head, call.withheld);
    if (!head) co_return failed(Problem::unsendable, head.error());
    const bool keep = call.head.framing() != http::Framing::chunked && call.head.content_length() <= max_kept;
    Outgoing outgoing{std::move(*head), {}, keep, false};
    const auto deadline = http::after(call.loop.clock().now(), call.mount.settings.total);
    auto attempted = co_await attempt_on(call, outgoing, !keep, deadline);
    if (attempted.stale) attempted = co_await attempt_on(call, outgoing, true, deadline);
    co_return std::move(attempted.outcome);
}

} // namespace wm::mount
