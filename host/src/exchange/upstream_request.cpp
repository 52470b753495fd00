#include "exchange/upstream_request.h"

#include "exchange/fields.h"
#include "http/request_writer.h"
#include "plugin/edit.h"
#include "plugin/guard.h"

namespace wm::exchange {

namespace {

Failure<AttemptFailure> local(std::string detail) {
    AttemptFailure failure;
    failure.stage = Stage::prepare;
    failure.detail = std::move(detail);
    return Failure{std::move(failure)};
}

std::vector<PairView> query_for_upstream(const http::RequestHead& head) {
    std::vector<PairView> out;
    for (const auto& member : http::split_query(head.query()))
        if (const auto name = http::percent_decode(member.name); name && !is_credential_member(*name)) out.push_back(member);
    return out;
}

void append_query(std::string& target, std::string_view name, std::string_view value) {
    target += target.find('?') == target.npos ? '?' : '&';
    target.append(name).append("=").append(value);
}

} // namespace

Result<UpstreamRequest, AttemptFailure> build_upstream_request(const Context& x, const config::Target& target, std::uint32_t attempt) {
    const auto& backend = x.settings().backends[target.backend];
    const auto& model = backend.models[target.model].name;
    const auto& adapter = backend.bound->about();
    UpstreamRequest request;

    request.asked_usage = x.facts.stream && !x.facts.usage_asked && adapter.ask_usage;
    auto body = x.protocol->rewrite(x.request(), model, request.asked_usage);
    if (!body) return local("rewrite: " + body.error().message);

    const auto fields = fields_for_upstream(x.head, x.protocol->about().id);
    const auto query = query_for_upstream(x.head);
    auto prepared = backend.bound->prepare({.protocol = x.protocol->about().id,
                                            .operation = x.endpoint->operation->id,
                                            .model = model,
                                            .exchange = x.id,
                                            .headers = fields,
                                            .query = query,
                                            .body = *body,
                                            .now_ms = x.wall_ms(),
                                            .attempt = attempt,
                                            .stream = x.facts.stream});
    if (!prepared) return local("prepare: " + prepared.error().message);
    if (!prepared->members.empty()) *body = plugin::apply_members(*body, prepared->members);

    auto url = http::parse_url(prepared->url);
    if (!url) return local("the adapter's URL: " + url.error());
    if (!plugin::authority_allowed(prepared->url, adapter, backend.address)) return local("the adapter's URL leaves the backend's endpoint");
    request.origin = std::move(url->origin);
    request.origin.verify = backend.tls_verify;
    request.origin.ca_file = backend.tls_ca_file;
    if (const auto& identity = backend.tls_identity) {
        request.origin.certificate_file = identity->certificate;
        request.origin.key_file = identity->key;
    }

    // The secret comes last, after every edit, and only into the slot the adapter named.
    auto path = std::move(url->target);
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
    const auto authority = request.origin.authority();
    request.bytes.reserve(1024 + body->size());
    if (!http::append_request(request.bytes, {prepared->method, path, authority, body->size()}, shown))
        return local("the adapter put a header field that cannot be sent");
    request.bytes += *body;
    return request;
}

} // namespace wm::exchange
