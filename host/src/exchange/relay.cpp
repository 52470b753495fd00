#include "exchange/relay.h"

#include "exchange/attempt.h"
#include "exchange/holder.h"
#include "exchange/unframe.h"

#include <algorithm>

namespace wm::exchange {

namespace {

constexpr std::size_t max_error_document = 16u << 10;
constexpr Millis error_document_time{5'000}; // a document that drips must not hold up the next target

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

Transport transport_of(http::BodyPiece piece) {
    switch (piece) {
    case http::BodyPiece::timed_out: return Transport::timeout;
    case http::BodyPiece::end:
    case http::BodyPiece::truncated: return Transport::eof;
    case http::BodyPiece::bad: return Transport::protocol;
    default: return Transport::reset;
    }
}

AttemptFailure failed_at(Stage stage, Transport transport, int status, std::string detail) {
    AttemptFailure failure;
    failure.stage = stage;
    failure.transport = transport;
    failure.status = status;
    failure.detail = std::move(detail);
    return failure;
}

AttemptFailure unusable(Stage stage, int status, const plugin::PluginError& error, std::string_view what) {
    auto failure = failed_at(stage, Transport::protocol, status, std::string(what) + ": " + error.message);
    if (error.status != plugin::refused) return failure;
    failure.stage = Stage::prepare; // it came as it should, and could not be told
    failure.report.param = error.where;
    return failure;
}

AttemptFailure error_under_success(Stage stage, int status, std::optional<plugin::ErrorReport> report) {
    auto failure = failed_at(stage, Transport::none, status, "an error under a success status");
    if (report) failure.report = std::move(*report);
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

std::optional<plugin::ErrorReport> error_in(const Context& x, const Upstream& up, const ErrorDocument& document) {
    if (!document.whole || document.text.empty()) return std::nullopt;
    auto text = document.text;
    if (up.head.status() / 100 == 2 && unframe_document(up, text)) return std::nullopt;
    auto tap = up.protocol.open_tap(talk_params(x, up.model, up.retries));
    if (!tap) return std::nullopt;
    auto report = (*tap)->frame({}, text, framing::FrameKind::document);
    return report ? std::move(report->error) : std::nullopt;
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

} // namespace wm::exchange
