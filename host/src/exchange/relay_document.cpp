#include "exchange/attempt.h"
#include "exchange/fields.h"
#include "exchange/relay.h"
#include "exchange/reply.h"
#include "exchange/unframe.h"

namespace wm::exchange {

namespace {

// A whole answer up to this size is judged before the client sees any of it; a larger one is passed on as it comes.
constexpr std::size_t max_judged = 4u << 20;

// What the tap says of a complete document, once its adapter has unwrapped it.
Outcome judge(Context& x, const Upstream& up, std::string& document) {
    const int status = up.head.status();
    if (auto failure = take_off_frame(up, document)) return Outcome::failed(std::move(*failure));
    if (is_encoded(up.head)) return {}; // passes untouched, its usage unknown
    auto tap = x.protocol->open_tap(talk_params(x, up.model, up.retries));
    if (!tap) return Outcome::failed(failed_at(Stage::body, Transport::none, status, "tap: " + tap.error().message));
    auto report = (*tap)->frame("", document, framing::FrameKind::document);
    if (!report)
        return Outcome::failed(
            failed_at(Stage::body, Transport::protocol, status, "a malformed answer: " + report.error().message));
    book(x, up, *report);
    if (!(report->verdict & plugin::Verdict::error)) return {};
    return Outcome::failed(error_under_success(Stage::body, status, std::move(report->error)));
}

} // namespace

runtime::Task<Outcome> relay_document(Context& x, const Upstream& up) {
    if (is_event_stream(up.head))
        co_return Outcome::failed(failed_at(Stage::head, Transport::protocol, up.head.status(), not_a_document));
    if (unframes(up) && is_encoded(up.head))
        co_return Outcome::failed(failed_at(Stage::head, Transport::protocol, up.head.status(), "a coded answer"));
    std::string document;
    auto piece = co_await read_document(x, up, document, unframes(up) ? up.bounds.response : max_judged);
    if (piece == http::BodyPiece::cancelled) co_return Outcome::gone();
    if (unframes(up) && piece == http::BodyPiece::more)
        co_return Outcome::failed(
            failed_at(Stage::body, Transport::protocol, up.head.status(), "an answer too large to be unframed"));
    if (piece != http::BodyPiece::end && piece != http::BodyPiece::more)
        co_return Outcome::failed(
            failed_at(Stage::body, transport_of(piece), up.head.status(), std::string(up.connection.failure())));
    if (piece == http::BodyPiece::end) {
        Outcome verdict;
        co_await x.work_on(document.size(), [&] { verdict = judge(x, up, document); });
        if (verdict.failure) co_return verdict;
    }

    commit(x, up);
    std::vector<Pair> metadata;
    append_metadata(x, metadata);
    auto fields = views(metadata);
    append_fields_for_client(fields, up.head);
    if (unframes(up)) describe_as_json(fields); // and no more as what it was wrapped into
    if (piece == http::BodyPiece::end) {
        upstream_done(x, up);
        const auto sent = co_await x.connection.respond(up.head.status(), fields, document);
        co_return Outcome::sent(sent == runtime::Io::ok);
    }

    std::optional<std::uint64_t> length;
    if (up.head.framing() == http::Framing::length) length = up.head.content_length();
    x.connection.begin(up.head.status(), fields, length);
    x.connection.write_by(up.last_write());
    for (;;) {
        if (piece == http::BodyPiece::end) upstream_done(x, up);
        const auto sent = co_await x.connection.send(document);
        if (sent != runtime::Io::ok) co_return Outcome::gone();
        if (piece == http::BodyPiece::end) break;
        document.clear();
        piece = http::BodyPiece::timed_out;
        if (!up.expired(x.now()))
            piece = co_await up.connection.read_some(document, up.patience(x.now(), up.timeouts.read));
        if (piece == http::BodyPiece::cancelled) co_return Outcome::gone();
        if (piece == http::BodyPiece::more || piece == http::BodyPiece::end) continue;
        x.connection.abandon(); // a cut document must not look whole
        co_return Outcome::broken_off(
            failed_at(Stage::body, transport_of(piece), up.head.status(), "cut after commitment"));
    }
    const auto finished = co_await x.connection.finish();
    co_return Outcome::sent(finished == runtime::Io::ok);
}

} // namespace wm::exchange
