#include "mount/conversation.h"

#include "http/chunks.h"
#include "http/deadline.h"
#include "http/hop_by_hop.h"
#include "mount/queue_comments.h"
#include "mount/request.h"
#include "mount/tunnel.h"

namespace wm::mount {

namespace {

using http::BodyPiece;
using http::HeadRead;
using runtime::Io;

// Of an answer that is not passed on: read so that its connection can be kept, and to see what a 429 says.
constexpr std::size_t most_read = 4u << 10;
constexpr Millis read_within{5'000};

Outcome of_fault(Upload::Fault fault) {
    switch (fault) {
    case Upload::Fault::bad_body: return failed(Problem::bad_body, "the request body's chunks are malformed");
    case Upload::Fault::slow_body: return failed(Problem::slow_body, "the request body stopped coming");
    default: return client_gone();
    }
}

// Never a client's: the one says that an error is the gateway's own, the other would lead it past the gateway, as the
// path it names is the upstream's.
bool stays_here(std::string_view name) { return iequals(name, "x-watermaster-error") || iequals(name, "alt-svc"); }

// What a client gets of an answer's fields. Those of a switch of protocols, or a demand for one, go with it.
std::vector<PairView> fields_for_client(const http::ResponseHead& answer) {
    std::vector<PairView> fields;
    fields.reserve(answer.fields().size());
    const http::HopByHop hop(answer);
    const bool upgrades = answer.status() == 101 || answer.status() == 426;
    for (const auto& field : answer.fields()) {
        const bool kept = (upgrades && iequals(field.name, "upgrade")) ||
                          (answer.framing() == http::Framing::chunked && iequals(field.name, "trailer"));
        if (stays_here(field.name)) continue;
        if (kept || !hop(field.name)) fields.push_back(field);
    }
    return fields;
}

std::vector<PairView> trailers_for_client(const http::ResponseHead& answer, std::string_view section) {
    auto trailers = http::trailer_fields(section);
    const http::HopByHop hop(answer);
    std::erase_if(trailers, [&](const PairView& field) { return hop(field.name) || stays_here(field.name); });
    return trailers;
}

std::optional<std::uint64_t> length_for_client(const http::ResponseHead& answer) {
    const bool declared = answer.framing() == http::Framing::length ||
                          (answer.framing() == http::Framing::none && answer.find("content-length")); // HEAD, 304
    return declared ? std::optional(answer.content_length()) : std::nullopt;
}

} // namespace

Outcome failed(Problem problem, std::string_view detail) {
    Outcome outcome;
    outcome.end = End::failed;
    outcome.problem = problem;
    outcome.verdict = verdict_of(std::nullopt, outcome.end, problem);
    outcome.detail = detail;
    return outcome;
}

Outcome client_gone() {
    Outcome outcome;
    outcome.end = End::client_gone;
    outcome.verdict = verdict_of(std::nullopt, outcome.end, outcome.problem);
    return outcome;
}

Conversation::Conversation(const Call& call, http::UpstreamConnection& upstream, Outgoing& outgoing, Upload& upload,
                           runtime::Beside& beside, runtime::Abort& attempt, Retries& retries, SteadyTime deadline)
    : call_(call), upstream_(upstream), outgoing_(outgoing), upload_(upload), beside_(beside), attempt_(attempt),
      retries_(retries), deadline_(deadline) {}

runtime::Task<Outcome> Conversation::run() {
    if (upload_.take_ready() && upload_.ready() <= http::UpstreamConnection::at_once)
        co_await upload_.send_first();
    else if (upload_.fault() == Upload::Fault::none)
        beside_.start(upload_.run());
    if (auto ended = co_await read_head()) co_return std::move(*ended);
    upload_.answered();
    const auto judged = judge(answer_, call_.loop.clock().wall_ms());
    if (judged.verdict == Verdict::success && answer_.status() != 101) retries_.probe_answered();
    Outcome result;
    const bool again = co_await put_off(judged);
    if (!again) {
        outgoing_.forget(); // an answer may last for minutes
        auto rest = answer_.status() == 101 ? switch_protocols() : call_.conversion ? convert() : relay();
        result = co_await rest;
    }
    result.verdict = verdict_of(judged.verdict, result.end, result.problem);
    result.status = answer_.status();
    result.retry_after = judged.retry_after;
    result.first_byte = first_byte_;
    co_return result;
}

// Whether the answer is dropped because the request will be sent again. What was read of it is in read_.
runtime::Task<bool> Conversation::put_off(const Judged& judged) {
    if (!outgoing_.repeatable()) co_return false;
    const auto& clock = call_.loop.clock();
    const auto at = retries_.next(judged.verdict, judged.retry_after, clock.now());
    if (!at) co_return false;
    const auto until = clock.now() + read_within;
    last_read_ = upstream_.read_ready(read_);
    while (last_read_ == BodyPiece::more && read_.size() <= most_read && clock.now() < until)
        last_read_ = co_await upstream_.read_some(read_, http::until(until, clock.now()));
    if (last_read_ == BodyPiece::timed_out) last_read_ = BodyPiece::more; // it goes on, if anybody wants it
    const auto& words = call_.mount.settings.retry.exhausted_429;
    if (judged.verdict == Verdict::throttled && says_exhausted(read_, words)) co_return false;
    if (!outgoing_.repeatable()) co_return false; // more of the body has come meanwhile than is kept
    if (retries_.leave(judged.verdict, judged.retry_after)) retry_at_ = at;
    co_return retry_at_.has_value();
}

Millis Conversation::patience() const {
    return http::until(deadline_, call_.loop.clock().now(), call_.mount.settings.silence);
}
bool Conversation::expired() const { return call_.loop.clock().now() >= deadline_; }

// The final answer's head, in answer_; interim ones are passed on. Or how it ended.
runtime::Task<std::optional<Outcome>> Conversation::read_head() {
    for (;;) {
        const auto read = co_await upstream_.next_head(answer_, patience(), call_.head.is_head());
        if (read == HeadRead::timed_out && beside_.running() && !expired()) continue; // the request is still on its way
        if (read != HeadRead::ok) co_return no_head(read);
        first_byte_ = call_.loop.clock().now();
        if (answer_.status() >= 200 || answer_.status() == 101) co_return std::nullopt;
        if (call_.client.begun()) continue; // too late for it
        const auto fields = fields_for_client(answer_);
        const auto sent = co_await call_.client.interim(answer_.status(), fields);
        if (sent != Io::ok) co_return client_gone();
    }
}

Outcome Conversation::no_head(HeadRead read) {
    if (call_.abort.fired()) return client_gone();
    if (upload_.fault() != Upload::Fault::none) return of_fault(upload_.fault());
    switch (read) {
    case HeadRead::timed_out: return failed(Problem::too_slow, "no answer in time");
    case HeadRead::closed: return failed(Problem::no_answer, "the upstream closed the connection without an answer");
    case HeadRead::cancelled: return client_gone();
    default: return failed(Problem::no_answer, upstream_.failure());
    }
}

runtime::Task<Outcome> Conversation::switch_protocols() {
    const auto wanted = upgrade_of(call_.head), offered = trim(answer_.find("upgrade").value_or(""));
    if (wanted.empty() || !iequals(wanted, offered) || beside_.running()) // before the request's end is too early
        co_return failed(Problem::unserved_upgrade,
                         "the upstream switched protocols without being asked, or to another one");
    call_.client.watch_client(false); // from here a side may end its half alone
    const auto fields = fields_for_client(answer_);
    const auto sent = co_await call_.client.switch_protocols(fields);
    if (sent != Io::ok) co_return client_gone();
    retries_.succeeded();
    co_await tunnel(call_, upstream_, attempt_);
    Outcome outcome;
    outcome.switched = true;
    co_return outcome;
}

runtime::Task<Outcome> Conversation::convert() {
    return call_.conversion->relay(upstream_, {.head = answer_, .read = std::move(read_), .last = last_read_},
                                   deadline_);
}

// What of the answer's body is there already, in read_ and last_read_. A head goes to the client at once, however long
// its first event takes, so nothing is waited for here. But an upstream that has left by now sends nothing that would
// have to be waited for: what it has sent can be read to its end.
runtime::Task<> Conversation::look_ahead() {
    if (last_read_ == BodyPiece::more) last_read_ = upstream_.read_ready(read_);
    if (last_read_ == BodyPiece::more && read_.empty() && upstream_.peer_left())
        last_read_ = co_await upstream_.read_some(read_, patience());
}

runtime::Task<Outcome> Conversation::relay() {
    co_await look_ahead();
    if (last_read_ != BodyPiece::more && last_read_ != BodyPiece::end) {
        if (call_.abort.fired()) co_return client_gone();
        if (upload_.fault() != Upload::Fault::none) co_return of_fault(upload_.fault());
        co_return failed(Problem::no_answer,
                         upstream_.failure()); // the client has seen none of it: a plain error is left
    }
    call_.client.write_by(deadline_);
    if (!call_.client.begun()) {
        const auto fields = fields_for_client(answer_);
        call_.client.begin(answer_.status(), fields, length_for_client(answer_));
    } else if (!goes_on_with_comments(answer_)) {
        co_return failed(Problem::no_stream, "its answer is no event stream, which the client's is already");
    }
    auto bytes = std::move(read_);
    auto piece = last_read_;
    for (;;) {
        if (piece == BodyPiece::end) {
            const auto trailers = trailers_for_client(answer_, upstream_.trailers());
            const auto sent = co_await call_.client.finish(bytes, trailers);
            if (sent != Io::ok) co_return client_gone();
            co_return Outcome{};
        }
        if (piece != BodyPiece::more) co_return broken_off(piece);
        const auto sent = co_await call_.client.send(bytes);
        if (sent != Io::ok) co_return client_gone();
        std::string().swap(bytes); // a stream may be silent for long
        piece = BodyPiece::timed_out;
        if (!expired()) piece = co_await upstream_.read_some(bytes, patience());
    }
}

Outcome Conversation::broken_off(BodyPiece piece) {
    call_.client.abandon(); // a cut answer must not look whole
    if (piece == BodyPiece::cancelled && call_.abort.fired()) return client_gone();
    Outcome outcome;
    outcome.end = upload_.fault() == Upload::Fault::none ? End::broken_off : End::client_gone;
    outcome.detail = piece == BodyPiece::timed_out ? "the answer stopped coming" : std::string(upstream_.failure());
    return outcome;
}

} // namespace wm::mount
