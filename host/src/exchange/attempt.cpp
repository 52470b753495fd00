#include "exchange/attempt.h"

#include "exchange/ask.h"
#include "exchange/attempt_record.h"
#include "exchange/classify.h"
#include "exchange/egress.h"
#include "exchange/fields.h"
#include "exchange/relay.h"
#include "gate/hold.h"
#include "mount/holds.h"

namespace wm::exchange {

namespace {

// A refusal by the provider: as much of its document as a policy may read.
runtime::Task<Outcome> read_refusal(Context& x, const config::Backend& backend, const Upstream& up) {
    auto failure = failed_at(Stage::head, Transport::none, up.head.status(), "");
    const auto document = co_await read_error_document(x, up);
    if (document.client_gone) co_return Outcome::gone();
    failure.fields = fields_beside_body(up.head);
    if (auto report = error_in(x, up, document)) failure.report = std::move(*report);
    classify(x, backend, &up.head, document.text, up.retries, failure);
    co_return Outcome::failed(std::move(failure));
}

const config::UpstreamModel& model_of(const Context& x, const config::Target& target) {
    return x.settings().backends[target.backend].models[target.model];
}

runtime::Task<const plugin::Transcoder*> choose_egress(Context& x, const config::Target& target) {
    const auto& model = model_of(x, target);
    const auto choices = egress_choices(x.generation().endpoints, *x.protocol, model);
    const auto* egress = choices.front();
    if (choices.size() > 1)
        co_await x.work_on(x.body.size(), [&] { egress = &least_loss(choices, x, model, x.wall_ms()); });
    co_return egress;
}

// What the head says of the credential's quotas, for people who watch them. A plugin's mistake costs the reading.
void note_limits(Context& x, const config::Target& target, const http::ResponseHead& head) {
    const auto said = x.settings().backends[target.backend].bound->observe(
        {.http_status = head.status(), .headers = head.fields(), .now_ms = x.wall_ms()});
    if (said && !said->empty())
        x.generation().credential_limits.note(target.backend, target.credential, *said, x.wall_ms());
}

runtime::Task<Outcome> try_once(Context& x, Chosen& chosen, const plugin::Transcoder& egress, std::uint32_t retries,
                                Heartbeat* heartbeat) {
    const auto& backend = x.settings().backends[chosen.target->backend];
    const auto& model = model_of(x, *chosen.target).name;
    const auto deadline = x.now() + backend.timeouts.total;

    x.usage = {}; // what a failed attempt said of its usage was not served
    http::ResponseHead head;
    auto answered = co_await ask(x, *chosen.target, egress, retries, head, deadline);
    if (answered.ended) {
        if (answered.ended->failure) classify(x, backend, nullptr, {}, retries, *answered.ended->failure);
        co_return std::move(*answered.ended);
    }
    const Upstream up{.timeouts = backend.timeouts,
                      .bounds = x.settings().server.transcode,
                      .protocol = egress,
                      .model = model,
                      .retries = retries,
                      .asked_usage = answered.asked_usage,
                      .adapter = backend.bound.get(),
                      .framing = answered.framing,
                      .connection = *answered.connection,
                      .lease = &answered.connection,
                      .head = head,
                      .deadline = deadline,
                      .chosen = &chosen};
    auto& record = x.attempts.back();
    record.status = head.status();
    record.first_byte_ms = x.wall_ms() - record.started_at_ms;
    note_limits(x, *chosen.target, head);
    Outcome outcome;
    const bool success = head.status() / 100 == 2;
    if (!success)
        outcome = co_await read_refusal(x, backend, up);
    else if (x.facts.stream)
        outcome = co_await relay_stream(x, up, heartbeat);
    else if (translated(x, up))
        outcome = co_await relay_translated_document(x, up);
    else
        outcome = co_await relay_document(x, up);
    if (success && outcome.failure) classify(x, backend, &head, {}, retries, *outcome.failure);
    if (answered.connection) http::UpstreamConnection::give_back(std::move(answered.connection));
    co_return outcome;
}

void settle_circuit(Context& x, Chosen& chosen, const Outcome& outcome) {
    if (!chosen.pass) return;
    auto& pass = *chosen.pass;
    if (outcome.end == AttemptEnd::answered) return pass.succeed();
    if (outcome.end == AttemptEnd::client_gone || !charges_circuit(outcome.failure->what)) return pass.release();
    const auto what = outcome.failure->what;
    const auto backoff = x.policies().backoff(what, pass.level(what), outcome.failure->hint_ms);
    pass.fail(what, backoff.suspended, backoff.delay_ms);
    if (backoff.suspended) note_suspended(*chosen.target, what, backoff.delay_ms);
}

// What it says of the provider's count of requests.
mount::Verdict verdict_of(const Outcome& outcome) {
    switch (outcome.end) {
    case AttemptEnd::answered: return mount::Verdict::success;
    case AttemptEnd::client_gone: return mount::Verdict::abandoned;
    default: break;
    }
    const auto& failure = *outcome.failure;
    if (failure.stage == Stage::prepare || failure.starved()) // or its answer could not be told here
        return failure.status ? mount::Verdict::success : mount::Verdict::untried;
    if (failure.status == 0) return mount::Verdict::transport;
    if (!charges_circuit(failure.what)) return mount::Verdict::success; // it answered; the request was at fault
    return failure.status == 429 ? mount::Verdict::throttled : mount::Verdict::server_error;
}

// After each try, also one that another follows.
void leave_headroom(const Context& x, const Chosen& chosen, mount::Verdict verdict) {
    const auto* place = x.gates().place_of(*chosen.target);
    if (!place) return;
    const auto& holds = x.settings().backends[chosen.target->backend].holds;
    mount::leave_headroom(x.worker.loop, place->gate, {x.gates().blamed(*chosen.target)}, holds, verdict);
}

void give_permit_back(const Context& x, Chosen& chosen, mount::Verdict verdict) {
    const auto* place = x.gates().place_of(*chosen.target);
    if (!place) return;
    const auto& holds = x.settings().backends[chosen.target->backend].holds;
    gate::hold(x.worker.loop, place->gate, std::move(chosen.permit), mount::hold_after(holds, verdict));
}

// The holder does not know what is continued after all: another may, and nobody is sent back to this one for it.
void let_go_of_holder(Context& x, const Outcome& outcome) {
    if (!x.holder || !outcome.failure || !outcome.failure->fall_back) return;
    if (outcome.failure->what != FailureClass::client_request || outcome.failure->stage == Stage::prepare) return;
    x.site().pins.forget(x.principal.name, x.facts.pins);
    x.site().pins.forget(x.principal.name, x.facts.carried);
    x.holder.reset();
}

} // namespace

plugin::TalkParams talk_params(const Context& x, std::string_view upstream_model, std::uint32_t retries) {
    return {.exchange = x.id,
            .operation = x.operation() ? std::string_view(x.operation()->id) : std::string_view(),
            .model = upstream_model,
            .now_ms = x.wall_ms(),
            .max_held = 1u << 20,
            .stream = x.facts.stream,
            .attempt = attempt_number(retries)};
}

void upstream_done(Context& x, const Upstream& up) {
    if (!up.lease) return; // the mount gives back what is its own
    http::UpstreamConnection::give_back(std::move(*up.lease));
    settle_circuit(x, *up.chosen, Outcome());
    give_permit_back(x, *up.chosen, mount::Verdict::success);
}

runtime::Task<Outcome> attempt(Context& x, Chosen& chosen, Heartbeat* heartbeat) {
    const auto* egress = co_await choose_egress(x, *chosen.target);
    begin_record(x, chosen, *egress);
    const metrics::During active(x.worker.counts.provider(x.attempts.back().backend).active);
    x.limited = x.limited || x.gates().bounded(*chosen.target);
    Outcome outcome;
    auto verdict = mount::Verdict::untried; // of the last try
    for (std::uint32_t retries = 0;; ++retries) {
        outcome = co_await try_once(x, chosen, *egress, retries, heartbeat);
        verdict = verdict_of(outcome);
        leave_headroom(x, chosen, verdict);
        if (outcome.end != AttemptEnd::failed || !outcome.failure->retry_in_place || retries > 0) break;
        if (outcome.failure->status / 100 == 2) break; // it answered: it would again, for as much, and as unusably
        const Millis pause(x.worker.random.between(200, 500));
        if (co_await runtime::sleep(x.worker.loop, x.abort, pause) != runtime::Io::ok) {
            outcome = Outcome::gone();
            break;
        }
    }
    settle_circuit(x, chosen, outcome);
    give_permit_back(x, chosen, verdict);
    end_record(x, outcome);
    let_go_of_holder(x, outcome);
    co_return outcome;
}

} // namespace wm::exchange
