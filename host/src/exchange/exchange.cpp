#include "exchange/exchange.h"

#include "base/text.h"
#include "exchange/attempt.h"
#include "exchange/exchange_record.h"
#include "exchange/final_answer.h"
#include "exchange/heartbeat.h"
#include "exchange/holder.h"
#include "exchange/identify.h"
#include "exchange/local_answers.h"
#include "exchange/mounted.h"
#include "exchange/plan.h"
#include "exchange/read_request.h"
#include "exchange/reply.h"
#include "exchange/route.h"

namespace wm::exchange {

namespace {

std::string new_id(Random& random) {
    std::string id(36, '0');
    auto* to = std::copy_n("wmx_", 4, id.data());
    for (const auto bits : {random.next(), random.next()})
        for (int shift = 60; shift >= 0; shift -= 4) *to++ = hex_digit(unsigned(bits >> shift) & 15);
    return id;
}

} // namespace

Exchange::Exchange(Worker& worker, http::ServerConnection& connection, runtime::Abort& abort,
                   const http::RequestHead& head)
    : cancel_(worker.loop, abort, worker.running), x_{{head},
                                                      worker,
                                                      connection,
                                                      cancel_.abort(),
                                                      worker.generation,
                                                      new_id(worker.random),
                                                      worker.loop.clock().now()} {
    const auto wants = head.find("x-relay-include-metadata");
    x_.wants_metadata = wants && *wants == "1";
    ++x_.site().exchanges;
}

Exchange::~Exchange() {
    settle();
    --x_.site().exchanges;
}

// The path of a request. Each step is a file beside this one; the first refusal ends it.
runtime::Task<> Exchange::run() {
    auto refusal =
        route(x_.generation(), x_); // route.h: which operation of which protocol, else which mount, or 404, 405
    if (!refusal)
        refusal = identify(x_.settings(), x_); // identify.h: who asks, or 401 before the body is read; then 426
    if (!refusal) refusal = co_await answer();
    if (refusal) co_await refuse(x_, *refusal); // reply.h: in the caller's protocol
    settle();                                   // once, whatever happened
}

runtime::Task<std::optional<Refusal>> Exchange::answer() {
    if (x_.endpoint && x_.endpoint->kind != EndpointKind::inference && x_.endpoint->kind != EndpointKind::count_tokens)
        co_return co_await answer_locally(x_); // local_answers.h
    if (x_.site().draining) co_return draining();
    if (x_.mount) co_return co_await answer_from_mount(x_); // mounted.h: forwarded as it is

    auto read = co_await read_request(x_); // read_request.h: the body and its facts, or 413, 415, 400
    if (read.client_gone) x_.failure = FailureClass::client_cancelled;
    if (read.refusal || read.client_gone) co_return std::move(read.refusal);
    const bool inference = x_.endpoint->kind == EndpointKind::inference;
    if (inference)
        x_.site().arrived(
            {x_.id, x_.protocol->about().id, std::string(x_.principal.name), x_.facts.model, x_.wall_ms()});

    auto refused = plan(x_.settings(), x_); // plan.h: model to layers, or 400, 404
    if (!refused && inference && !x_.model->guarded_members.empty())
        co_await x_.work_on(x_.body.size(), [&] { refused = guard(x_); });
    if (refused) co_return refused;
    if (!inference) co_return co_await answer_locally(x_);
    find_holder(x_.site().pins, x_.settings(), x_); // holder.h: who has what it continues

    x_.connection.watch_client(true); // from here a client that leaves cancels what runs for it
    refused = co_await answer_from_targets();
    x_.connection.watch_client(false);
    co_return refused;
}

// A target, an attempt on it, its answer to the client; the next one while nothing is committed.
runtime::Task<std::optional<Refusal>> Exchange::answer_from_targets() {
    Walk walk(x_);                      // walk.h: which target next; waits at gates and for probes
    std::optional<Heartbeat> heartbeat; // heartbeat.h: a streaming client is kept alive meanwhile
    if (x_.streaming()) heartbeat.emplace(x_);
    std::unique_ptr<AttemptFailure> last;
    for (;;) {
        auto next = co_await walk.next();
        if (auto* none = std::get_if<NoTarget>(&next)) {
            if (none->why == NoTarget::Why::client_gone) co_return cancelled();
            x_.exhausted = true;
            if (!last) co_return no_target(x_.settings(), x_.site().clock.wall_ms(), *none); // exact, as the probe
            break;
        }
        auto outcome =
            co_await attempt(x_, std::get<Chosen>(next), heartbeat ? &*heartbeat : nullptr); // attempt.h, relay.h
        if (outcome.end != AttemptEnd::failed) {
            if (outcome.end == AttemptEnd::client_gone) co_return cancelled();
            if (outcome.end == AttemptEnd::broken_off) x_.failure = outcome.failure->what;
            co_return std::nullopt;
        }
        last = std::move(outcome.failure);
        if (!last->fall_back) break;
    }
    heartbeat.reset();
    x_.failure = last->what;
    co_await answer_failure(x_, *last); // final_answer.h
    co_return std::nullopt;
}

// Nobody waits for an answer any more, or a drain's end cut it off: then a client that has seen none of it is told.
std::optional<Refusal> Exchange::cancelled() {
    x_.failure = x_.cut() ? FailureClass::local : FailureClass::client_cancelled;
    if (!x_.cut()) return std::nullopt;
    x_.error_code = about(Code::draining).name;
    if (x_.committed) return std::nullopt;
    return draining();
}

// The one place where an exchange is booked. Permits and circuits were leases and are settled by now.
void Exchange::settle() noexcept {
    if (settled_) return;
    settled_ = true;
    try {
        const auto record = record_of(x_); // exchange_record.h
        x_.worker.counts.settled(record);
        x_.site().settled(record);
    } catch (...) { // out of memory: a record is lost, never an answer
    }
}

} // namespace wm::exchange
