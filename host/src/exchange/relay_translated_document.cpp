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
    const translate::Translation::Give give = [&](std::string_view, std::string_view data, std::uint32_t) {
        out += data;
    };
    if (document.empty()) return Outcome::failed(failed_at(Stage::body, "eof", status, "an empty answer"));
    if (auto fault = unframe_document(up, document)) return malformed(*fault);
    if (auto fault = x.translation->begin_answer(plugin::TalkMode::document)) return malformed(*fault);
    auto report = x.translation->answer({}, document, framing::FrameKind::document, give);
    if (!report) return malformed(report.error());
    book(x, up, *report);
    if (report->error) {
        auto failure = failed_at(Stage::body, "", status, "an error under a success status");
        failure.report = std::move(*report->error);
        return Outcome::failed(std::move(failure));
    }
    auto end = x.translation->end(give);
    if (!end) return malformed(end.error());
    book(x, up, *end);
    if (out.size() > up.bounds.response) return malformed({plugin::refused, {}, "longer than transcode_max_response"});
    return {};
}

std::optional<AttemptFailure> unreadable(const Upstream& up) {
    const int status = up.head.status();
    if (is_encoded(up.head))
        return failed_at(Stage::head, "protocol", status, "a coded answer, which was not asked for");
    if (is_event_stream(up.head)) return failed_at(Stage::head, "protocol", status, not_a_document);
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
            failed_at(Stage::body, "protocol", up.head.status(), "an answer too large to be translated"));
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
    std::erase_if(fields, [](const PairView& field) { return iequals(field.name, "content-type"); });
    fields.push_back({"Content-Type", "application/json"});
    upstream_done(x, up);
    const auto sent = co_await x.connection.respond(up.head.status(), fields, out);
    co_return Outcome::sent(sent == runtime::Io::ok);
}

} // namespace wm::exchange
