#include "exchange/upstream_request.h"

#include "exchange/attempt.h"
#include "exchange/fields.h"
#include "exchange/query.h"
#include "exchange/translated_request.h"
#include "http/request_writer.h"
#include "plugin/edit.h"

namespace wm::exchange {

namespace {

Failure<AttemptFailure> local(std::string detail) {
    AttemptFailure failure;
    failure.stage = Stage::prepare;
    failure.detail = std::move(detail);
    return Failure{std::move(failure)};
}

void append_query(std::string& target, std::string_view name, std::string_view value) {
    target += target.find('?') == target.npos ? '?' : '&';
    target.append(name).append("=").append(value);
}

using Body = Result<std::string, AttemptFailure>;

Body rewritten(const Context& x, const config::UpstreamModel& model, bool ask_usage) {
    auto body = x.protocol->rewrite(x.request(), model.name, ask_usage);
    if (!body) return local("rewrite: " + body.error().message);
    return std::move(*body);
}

Body translated(Context& x, const config::UpstreamModel& model, const plugin::AdapterFacts& adapter,
                const plugin::Transcoder& egress, std::uint32_t retries) {
    return translate_request(x, {.upstream = egress,
                                 .capabilities = model.capabilities,
                                 .approvals = translate::Approvals::of_served_models(),
                                 .bounds = x.settings().server.transcode,
                                 .model = model.name,
                                 .max_output = model.max_output,
                                 .retries = retries,
                                 .ask_usage = adapter.ask_usage,
                                 .query = http::split_query(x.query)});
}

} // namespace

Result<UpstreamRequest, AttemptFailure> build_upstream_request(Context& x, const config::Target& target,
                                                               const plugin::Transcoder& egress,
                                                               std::uint32_t retries) {
    const auto& backend = x.settings().backends[target.backend];
    const auto& model = backend.models[target.model];
    const auto& adapter = backend.bound->about();
    const bool native = &egress == x.protocol;
    UpstreamRequest request;

    request.asked_usage = native && x.facts.stream && !x.facts.usage_asked && adapter.ask_usage;
    if (native) x.translation.reset(); // of an attempt before
    auto body = native ? rewritten(x, model, request.asked_usage) : translated(x, model, adapter, egress, retries);
    if (!body) return Failure{std::move(body.error())};

    const auto fields = native ? x.fields : fields_for_upstream(x.head, egress.about().id);
    const auto query =
        native ? http::split_query(x.query) : std::vector<PairView>(); // another protocol's means nothing there
    auto prepared = backend.bound->prepare({.protocol = egress.about().id,
                                            .operation = native ? x.operation()->id : inference_of(egress).id,
                                            .model = model.name,
                                            .handle = native ? std::string_view(x.handle) : std::string_view(),
                                            .exchange = x.id,
                                            .headers = fields,
                                            .query = query,
                                            .body = *body,
                                            .now_ms = x.wall_ms(),
                                            .attempt = attempt_number(retries),
                                            .stream = x.facts.stream});
    if (!prepared) return local("prepare: " + prepared.error().message);
    request.framing = prepared->framing;
    if (!prepared->members.empty()) *body = plugin::apply_members(*body, prepared->members);

    auto destination = x.generation().origins[target.backend].of(prepared->url);
    if (!destination) return local("the adapter's URL: " + destination.error());
    request.origin = std::move(destination->origin);

    // The secret comes last, after every edit, and only into the slot the adapter named.
    auto path = std::move(destination->target);
    std::vector<std::string> secrets;
    secrets.reserve(prepared->secrets.size());
    auto shown = std::vector<PairView>{};
    for (const auto& field : prepared->headers) shown.push_back({field.name, field.value});
    shown.push_back({"Accept-Encoding", "identity"});
    const auto& key = backend.credentials[target.credential].api_key.reveal();
    for (const auto& slot : prepared->secrets) {
        if (slot.in_query) {
            std::string value;
            http::percent_encode(value, key);
            append_query(path, slot.name, value);
        } else {
            secrets.push_back(slot.prefix + key);
            shown.push_back({slot.name, secrets.back()});
        }
    }
    const auto authority = request.origin->authority();
    request.bytes.reserve(1024 + body->size());
    if (!http::append_request(request.bytes, {prepared->method, path, authority, body->size()}, shown))
        return local("the adapter put a header field that cannot be sent");
    request.bytes += *body;
    return request;
}

} // namespace wm::exchange
