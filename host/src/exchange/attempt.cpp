#include "exchange/attempt.h"

#include "exchange/classify.h"
#include "exchange/egress.h"
#include "exchange/fields.h"
#include "exchange/holder.h"
#include "exchange/relay.h"
#include "exchange/upstream_request.h"
#include "gate/hold.h"
#include "http/deadline.h"
#include "mount/holds.h"
#include "runtime/beside.h"

#include <Poco/Logger.h>

namespace wm::exchange {

namespace {

constexpr std::size_t max_error_document = 16u << 10;
constexpr Millis error_document_time{5'000}; // a document that drips must not hold up the next target
constexpr Millis stale_within{1'000};        // a kept connection that was closed is found so at once

std::string_view transport_of(http::HeadRead read) {
    switch (read) {
    case http::HeadRead::closed: return "eof";
    case http::HeadRead::timed_out: return "timeout";
    case http::HeadRead::bad: return "protocol";
    default: return "reset";
    }
}

struct Sending {
    runtime::Io status = runtime::Io::ok;
    SteadyTime ended{};
};

runtime::Task<> send(const Context& x, http::UpstreamConnection& connection, std::string_view bytes, Millis silence,
                     SteadyTime deadline, runtime::Abort& stop, Sending& sending) {
    sending.status = co_await connection.send(bytes, silence, deadline, stop);
    sending.ended = x.now();
}

// What cannot be written at once goes out beside the reading: its answer may come before its end (413), and then the
// rest of it is of no use. A success before its end waits for that: who answers so early may still want all of it.
runtime::Task<http::HeadRead> send_beside(const Context& x, http::UpstreamConnection& connection,
                                          std::string_view bytes, http::ResponseHead& head, Millis silence,
                                          SteadyTime deadline, Sending& sending) {
    runtime::Abort stop(x.worker.loop);
    const runtime::AbortLink link(x.abort, stop);
    runtime::Beside beside(x.worker.loop);
    auto read = http::HeadRead::timed_out;
    std::exception_ptr error; // what is sent lies in the caller's frame: whatever happens, its end is waited for
    try {
        beside.start(send(x, connection, bytes, silence, deadline, stop, sending));
        do read = co_await connection.read_head(head, http::until(deadline, x.now(), silence));
        while (read == http::HeadRead::timed_out && beside.running() && x.now() < deadline);
    } catch (...) {
        error = std::current_exception();
    }
    if (read != http::HeadRead::ok || head.status() / 100 != 2) stop.fire();
    co_await beside.join();
    if (error) std::rethrow_exception(error);
    co_return read;
}

struct Answered {
    std::optional<Outcome> ended; // set: no head came
    std::unique_ptr<http::UpstreamConnection> connection;
    bool asked_usage = false;
    framing::Framing framing = framing::Framing::sse;

    static Answered none(Outcome outcome) { return {std::move(outcome), nullptr}; }
};

// Connects, sends and reads the head. A kept connection that turns out closed before any byte of an answer says
// nothing about the upstream: the request goes out once more, on a fresh one.
runtime::Task<Answered> exchange_heads(Context& x, const config::Backend& backend, UpstreamRequest& request,
                                       http::ResponseHead& head, SteadyTime deadline) {
    const auto& timeouts = backend.timeouts;
    const auto silence = x.facts.stream ? timeouts.stream_read : timeouts.read;
    const auto left = [&](Millis most) {
        return std::clamp(std::chrono::duration_cast<Millis>(deadline - x.now()), Millis(0), most);
    };
    for (bool fresh = false;; fresh = true) {
        auto lease = co_await x.worker.upstreams.lease(*request.origin, x.abort, left(timeouts.connect), fresh);
        if (lease.status == runtime::Io::cancelled) co_return Answered::none(Outcome::gone());
        if (lease.status != runtime::Io::ok) {
            const auto transport = lease.status == runtime::Io::timed_out ? std::string_view("timeout") : lease.stage;
            co_return Answered::none(Outcome::failed(failed_at(Stage::connect, transport, 0, lease.failure)));
        }
        auto& connection = *lease.connection;
        Sending sending;
        auto read = http::HeadRead::timed_out;
        if (request.bytes.size() > http::UpstreamConnection::at_once) {
            read = co_await send_beside(x, connection, request.bytes, head, silence, deadline, sending);
            if (!lease.reused) std::string().swap(request.bytes); // it will not go out again
        } else {
            sending.status = co_await connection.send(request.bytes, left(silence), deadline);
            if (sending.status == runtime::Io::cancelled) co_return Answered::none(Outcome::gone());
            sending.ended = x.now();
            if (!lease.reused) std::string().swap(request.bytes);
            // What was not sent whole may be answered all the same: look for a head in any case.
            const bool stuck = sending.status == runtime::Io::timed_out;
            read = co_await connection.read_head(head, stuck ? Millis(1) : left(silence));
        }
        if (read == http::HeadRead::ok)
            co_return Answered{std::nullopt, std::move(lease.connection), request.asked_usage, request.framing};
        if (read == http::HeadRead::cancelled) co_return Answered::none(Outcome::gone());
        const bool stale = lease.reused && !fresh && !connection.answered() && read != http::HeadRead::timed_out &&
                           x.now() - sending.ended < stale_within;
        if (!stale)
            co_return Answered::none(
                Outcome::failed(failed_at(Stage::head, transport_of(read), 0, std::string(connection.failure()))));
    }
}

// A refusal by the provider: as much of its document as a policy may read.
runtime::Task<Outcome> read_refusal(Context& x, const config::Backend& backend, const Upstream& up) {
    auto failure = failed_at(Stage::head, "", up.head.status(), "");
    const auto document = co_await read_error_document(x, up);
    if (document.client_gone) co_return Outcome::gone();
    std::vector<PairView> fields;
    append_fields_for_client(fields, up.head);
    for (const auto& field : fields)
        if (!iequals(field.name, "content-type") && !iequals(field.name, "content-encoding"))
            failure.fields.push_back({std::string(field.name), std::string(field.value)});
    if (document.whole && !document.text.empty())
        if (auto tap = up.protocol.open_tap(talk_params(x, up.model, up.retries)))
            if (auto report = (*tap)->frame("", document.text, framing::FrameKind::document); report && report->error)
                failure.report = std::move(*report->error);
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

// The request, with its secret and its copy of the prompt, is gone when this ends: it is not kept while the answer
// comes.
runtime::Task<Answered> ask(Context& x, const config::Target& target, const plugin::Transcoder& egress,
                            std::uint32_t retries, http::ResponseHead& head, SteadyTime deadline) {
    std::optional<Result<UpstreamRequest, AttemptFailure>> built;
    co_await x.work_on(x.body.size(), [&] { built.emplace(build_upstream_request(x, target, egress, retries)); });
    if (!*built) co_return Answered::none(Outcome::failed(std::move(built->error())));
    co_return co_await exchange_heads(x, x.settings().backends[target.backend], **built, head, deadline);
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

void begin_record(Context& x, const Chosen& chosen, const plugin::Transcoder& egress) {
    const auto& backend = x.settings().backends[chosen.target->backend];
    x.selection_reason = chosen.reason;
    x.attempts.push_back({.sequence = std::uint32_t(x.attempts.size() + 1),
                          .backend = backend.name,
                          .credential = backend.credentials[chosen.target->credential].name,
                          .upstream_model = backend.models[chosen.target->model].name,
                          .protocol = egress.about().id,
                          .layer = chosen.layer->name,
                          .layer_index = chosen.layer_index,
                          .started_at_ms = x.wall_ms(),
                          .probe = chosen.pass && chosen.pass->probe()});
}

// The holder does not know what is continued after all: another may, and nobody is sent back to this one for it.
void let_go_of_holder(Context& x, const Outcome& outcome) {
    if (!x.holder || !outcome.failure || !outcome.failure->fall_back) return;
    if (outcome.failure->what != FailureClass::client_request || outcome.failure->stage == Stage::prepare) return;
    x.site().pins.forget(x.principal.name, x.facts.pins);
    x.site().pins.forget(x.principal.name, x.facts.carried);
    x.holder.reset();
}

void end_record(Context& x, const Outcome& outcome) {
    auto& record = x.attempts.back();
    record.total_ms = x.wall_ms() - record.started_at_ms;
    record.committed = x.committed;
    if (outcome.end == AttemptEnd::client_gone)
        record.failure = x.cut() ? FailureClass::local : FailureClass::client_cancelled;
    static auto& log = Poco::Logger::get("exchange");
    if (const auto losses = losses_of(x); !losses.empty() && log.information())
        log.information(x.id + ": " + x.protocol->about().id + " to " + record.protocol + " loses " + losses);
    if (!outcome.failure) return;
    const auto& failure = *outcome.failure;
    record.failure = failure.what;
    record.retry_after_ms = failure.hint_ms;
    if (log.information())
        log.information(x.id + ": " + x.attempts.back().backend + "/" + record.credential + " " +
                        record.upstream_model + " failed at " + std::string(to_string(failure.stage)) + ", status " +
                        std::to_string(record.status) + ": " + std::string(to_string(failure.what)) +
                        (failure.detail.empty() ? "" : " (" + failure.detail + ")"));
}

// A mount has one upstream, and nothing to choose.
void learn(Context& x, const Upstream& up, const plugin::PinList& pins) {
    if (pins.empty() || !up.chosen) return;
    x.site().pins.learn(x.principal.name, pins, holder_of(x.settings(), *up.chosen->target));
}

// It took them: it has them. Unless somebody else who may have them could not be asked: then nobody can tell.
void learn_taken(Context& x, const Upstream& up) {
    const bool first = std::all_of(x.attempts.begin(), std::prev(x.attempts.end()), [](const auto& earlier) {
        return earlier.failure == FailureClass::client_request; // who does not know them has said so
    });
    if (first && !translated(x, up)) learn(x, up, x.facts.pins);
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

std::string_view transport_of(http::BodyPiece piece) {
    switch (piece) {
    case http::BodyPiece::timed_out: return "timeout";
    case http::BodyPiece::end:
    case http::BodyPiece::truncated: return "eof";
    case http::BodyPiece::bad: return "protocol";
    default: return "reset";
    }
}

AttemptFailure failed_at(Stage stage, std::string_view transport, int status, std::string detail) {
    AttemptFailure failure;
    failure.stage = stage;
    failure.transport = transport;
    failure.status = status;
    failure.detail = std::move(detail);
    return failure;
}

AttemptFailure unusable(Stage stage, int status, const plugin::PluginError& error, std::string_view what) {
    auto failure = failed_at(stage, "protocol", status, std::string(what) + ": " + error.message);
    if (error.status != plugin::refused) return failure;
    failure.stage = Stage::prepare; // it came as it should, and could not be told
    failure.report.param = error.where;
    return failure;
}

runtime::Task<http::BodyPiece> read_document(Context& x, const Upstream& up, std::string& document, std::size_t most) {
    auto piece = http::BodyPiece::more;
    while (piece == http::BodyPiece::more && document.size() <= most) {
        piece = http::BodyPiece::timed_out;
        if (!up.expired(x.now()))
            piece = co_await up.connection.read_some(document, up.patience(x.now(), up.timeouts.read));
    }
    co_return piece;
}

runtime::Task<ErrorDocument> read_error_document(Context& x, const Upstream& up) {
    return read_error_document(x, up, std::string(), false);
}

runtime::Task<ErrorDocument> read_error_document(Context& x, const Upstream& up, std::string begun, bool over) {
    ErrorDocument document{std::move(begun)};
    Upstream brief = up;
    brief.deadline = std::min(up.deadline, x.now() + error_document_time);
    auto piece = http::BodyPiece::end;
    if (!over) piece = co_await read_document(x, brief, document.text, max_error_document - 1);
    document.whole = piece == http::BodyPiece::end && document.text.size() <= max_error_document;
    document.client_gone = piece == http::BodyPiece::cancelled;
    if (document.text.size() > max_error_document) document.text.resize(max_error_document);
    co_return document;
}

void book(Context& x, const Upstream& up, const plugin::TapReport& report) {
    x.usage.merge(report.usage);
    if (!(report.verdict & plugin::Verdict::error)) learn(x, up, report.pins);
}

void commit(Context& x, const Upstream& up) {
    if (up.chosen) learn_taken(x, up);
    x.committed = true;
    x.first_byte = x.now();
    std::string().swap(x.body); // no other target will need it
    x.held.release();
    if (!up.chosen || !up.chosen->pass->probe()) return;
    auto& chosen = *up.chosen;
    chosen.pass->succeed();
    auto again = x.circuits().admit(chosen.target->id); // to charge a failure after commitment to the closed circuit
    chosen.pass.reset();
    if (auto* pass = std::get_if<routing::Pass>(&again)) chosen.pass.emplace(std::move(*pass));
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
