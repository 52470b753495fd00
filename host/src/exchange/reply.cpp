#include "exchange/reply.h"

#include "exchange/attempt.h"
#include "exchange/egress.h"
#include "framing/sse.h"

namespace wm::exchange {

namespace {

std::string fallback_document(const plugin::ErrorReport& report) {
    std::string out = R"({"error":{"message":)";
    out += report.message.empty() ? R"("error")" : "\"the gateway could not write this error\"";
    return out + "}}";
}

// The client already has a 200 and an event stream: the error becomes its legal end.
runtime::Task<> end_stream_with(Context& x, const plugin::ErrorReport& report) {
    std::string out;
    if (auto tap = x.protocol->open_tap(talk_params(x, "", 0)))
        if (auto end = (*tap)->end(&report))
            for (const auto& frame : end->frames) framing::append_sse(out, frame.name, frame.data);
    if (!out.empty()) {
        co_await x.connection.finish(out);
        co_return;
    }
    x.connection.abandon(); // no protocol says how it would end
}

// The failure that another target was tried after. A layer that was passed over had nothing to be tried: circuits, or
// what is continued is elsewhere.
std::string_view fallback_reason(const Context& x) {
    if (!fell_back(x)) return {};
    if (x.attempts.size() == 1) return x.holder ? "pinned" : about(Code::circuit_open).name;
    const auto& failure = x.attempts[x.attempts.size() - 2].failure;
    return failure ? to_string(*failure) : std::string_view();
}

// Of a stream's losses, those that are known when its head goes out.
void append_translation(const Context& x, std::string_view protocol, std::vector<Pair>& text) {
    text.push_back({"X-Relay-Egress-Protocol", std::string(protocol)});
    text.push_back({"X-Relay-Translated", x.translation ? "true" : "false"});
    if (auto losses = losses_of(x); !losses.empty()) text.push_back({"X-Relay-Loss", std::move(losses)});
}

} // namespace

bool fell_back(const Context& x) {
    return !x.mount && !x.attempts.empty() && (x.attempts.size() > 1 || x.attempts.back().layer_index > 0);
}

void append_metadata(const Context& x, std::vector<Pair>& text) {
    if (!x.wants_metadata) return;
    text.push_back({"X-Relay-Request-Id", x.id});
    if (x.protocol) text.push_back({"X-Relay-Ingress-Protocol", x.protocol->about().id});
    if (x.transcode) append_translation(x, x.transcode->upstream->about().id, text);
    if (x.attempts.empty() || x.mount) return;
    const auto& last = x.attempts.back();
    text.push_back({"X-Relay-Backend", last.backend});
    text.push_back({"X-Relay-Credential", last.credential});
    text.push_back({"X-Relay-Upstream-Model", last.upstream_model});
    text.push_back({"X-Relay-Route-Layer", last.layer});
    text.push_back({"X-Relay-Route-Layer-Index", std::to_string(last.layer_index)});
    text.push_back({"X-Relay-Selection-Reason", x.selection_reason});
    append_translation(x, last.protocol, text);
    text.push_back({"X-Relay-Fallback", fell_back(x) ? "true" : "false"});
    if (const auto reason = fallback_reason(x); !reason.empty())
        text.push_back({"X-Relay-Fallback-Reason", std::string(reason)});
}

std::vector<PairView> views(std::span<const Pair> pairs) {
    std::vector<PairView> out;
    out.reserve(pairs.size());
    for (const auto& pair : pairs) out.push_back({pair.name, pair.value});
    return out;
}

void begin_stream(Context& x, int status, std::span<const PairView> upstream_fields) {
    std::vector<Pair> metadata;
    append_metadata(x, metadata);
    auto fields = views(metadata);
    bool typed = false;
    for (const auto& field : upstream_fields) {
        typed = typed || iequals(field.name, "content-type");
        fields.push_back(field);
    }
    if (!typed) fields.push_back({"Content-Type", "text/event-stream"});
    fields.push_back({"Cache-Control", "no-cache, no-transform"});
    fields.push_back({"X-Accel-Buffering", "no"});
    x.connection.begin(status, fields, std::nullopt);
}

runtime::Task<> answer_error(Context& x, int status, const plugin::ErrorReport& report, std::vector<Pair> fields) {
    if (x.connection.begun()) {
        co_await end_stream_with(x, report);
        co_return;
    }
    std::string body;
    if (x.protocol)
        if (auto written = x.protocol->write_error(report)) body = std::move(*written);
    if (body.empty()) body = fallback_document(report);
    if (!x.wants_metadata) fields.push_back({"X-Relay-Request-Id", x.id}); // by which the log has it
    append_metadata(x, fields);
    fields.push_back({"Content-Type", "application/json"});
    const auto shown = views(fields);
    co_await x.connection.respond(status, shown, body);
}

runtime::Task<> refuse(Context& x, const Refusal& refusal) {
    const auto& code = about(refusal.code);
    const int status = refusal.status ? refusal.status : code.status;
    plugin::ErrorReport report{.type = std::string(code.type),
                               .http_status = status,
                               .message = refusal.message,
                               .code = std::string(code.name),
                               .param = refusal.param,
                               .refused_by = "gateway"};
    std::vector<Pair> fields{{"X-Watermaster-Error", std::string(code.name)}};
    if (refusal.retry_after_s > 0) fields.push_back({"Retry-After", std::to_string(refusal.retry_after_s)});
    if (!refusal.allow.empty()) fields.push_back({"Allow", refusal.allow});
    if (refusal.code == Code::upgrade_required) {
        fields.push_back({"Upgrade", "HTTP/1.1"});
        x.connection.close_after_response();
    }
    x.error_code = code.name;
    co_await answer_error(x, status, report, std::move(fields));
}

runtime::Task<> answer_json(Context& x, int status, const std::string& json) {
    const PairView fields[] = {{"Content-Type", "application/json"}};
    co_await x.connection.respond(status, fields, json);
}

} // namespace wm::exchange
