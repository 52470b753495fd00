#include "exchange/attempt.h"
#include "exchange/fields.h"
#include "exchange/relay.h"
#include "exchange/reply.h"
#include "exchange/unframe.h"

namespace wm::exchange {

namespace {

// The upstream's document as the client gets it.
Outcome translate(Context& x, const Upstream& up, std::string& document, std::string& out) {
    const int status = up.head.status();
    const auto malformed = [&](const plugin::PluginError& error) {
        return Outcome::failed(unusable(Stage::body, status, error, "a malformed answer"));
    };
    const translate::Translation::Give give = [&](std::string_view, std::string_view data) { out += data; };
    if (auto failure = take_off_frame(up, document)) return Outcome::failed(std::move(*failure));
    if (auto fault = x.translation->begin_answer(plugin::TalkMode::document)) return malformed(*fault);
    auto report = x.translation->answer({}, document, framing::FrameKind::document, give);
    if (!report) return malformed(report.error());
    book(x, up, *report);
    if (report->error) return Outcome::failed(error_under_success(Stage::body, status, std::move(report->error)));
    auto end = x.translation->end(give);
    if (!end) return malformed(end.error());
    book(x, up, *end);
    if (out.size() > up.bounds.response) return malformed({plugin::refused, {}, "longer than transcode_max_response"});
    return {};
}

std::optional<AttemptFailure> unreadable(const Upstream& up) {
    const int status = up.head.status();
    if (is_encoded(up.head))
        return failed_at(Stage::head, Transport::protocol, status, "a coded answer, which was not asked for");
    if (is_event_stream(up.head)) return failed_at(Stage::head, Transport::protocol, status, not_a_document);
    return std::nullopt;
}

} // namespace

runtime::Task<Outcome> relay_translated_document(Context& x, const Upstream& up) {
    if (auto failure = unreadable(up)) co_return Outcome::failed(std::move(*failure));
    std::string document;
    const auto piece = co_await read_document(x, up, document, up.bounds.response);
    if (piece == http::BodyPiece::cancelled) co_return Outcome::gone();
    if (piece == http::BodyPiece::more || document.size() > up.bounds.response)
        co_return Outcome::failed(
            failed_at(Stage::body, Transport::protocol, up.head.status(), "an answer too large to be translated"));
    if (piece != http::BodyPiece::end)
        co_return Outcome::failed(
            failed_at(Stage::body, transport_of(piece), up.head.status(), std::string(up.connection.failure())));

    Outcome outcome;
    std::string out;
    co_await x.work_on(document.size(), [&] { outcome = translate(x, up, document, out); });
    if (outcome.failure) co_return outcome;

    commit(x, up);
    std::vector<Pair> metadata;
    append_metadata(x, metadata);
    auto fields = views(metadata);
    append_fields_for_client(fields, up.head);
    describe_as_json(fields);
    upstream_done(x, up);
    const auto sent = co_await x.connection.respond(up.head.status(), fields, out);
    co_return Outcome::sent(sent == runtime::Io::ok);
}

} // namespace wm::exchange
