#include "exchange/endpoints.h"

namespace wm::exchange {

Endpoints::Endpoints(const std::vector<const plugin::Transcoder*>& protocols, bool health_endpoints) {
    for (const auto* protocol : protocols) {
        if (!first_ || protocol->about().id == "openai-chat") first_ = protocol;
        for (const auto& operation : protocol->about().operations) {
            const bool local = operation.kind == "local";
            if (local && operation.id != "count_tokens") continue; // no other local operation is answered here
            table_.push_back({local ? EndpointKind::count_tokens : EndpointKind::inference, operation.method,
                              operation.path, protocol, &operation});
        }
    }
    table_.push_back({EndpointKind::models, "GET", "/v1/models", first_});
    if (!health_endpoints) return;
    for (const auto* path : {"/healthz", "/health/liveliness"}) table_.push_back({EndpointKind::health, "GET", path});
    for (const auto* path : {"/readyz", "/health/readiness"}) table_.push_back({EndpointKind::ready, "GET", path});
}

Endpoints::Found Endpoints::find(std::string_view method, std::string_view path) const {
    Found found;
    for (const auto& endpoint : table_) {
        if (endpoint.path != path) continue;
        found.same_path = &endpoint;
        if (endpoint.method == method || (endpoint.method == "GET" && method == "HEAD")) {
            found.endpoint = &endpoint;
            return found;
        }
        if (!found.allow.empty()) found.allow += ", ";
        found.allow += endpoint.method;
        if (endpoint.method == "GET") found.allow += ", HEAD";
    }
    return found;
}

const plugin::Transcoder* Endpoints::nearest(std::string_view path) const {
    for (const auto& endpoint : table_)
        if (endpoint.protocol && endpoint.kind == EndpointKind::inference && path.starts_with(endpoint.path)) return endpoint.protocol;
    return first_;
}

} // namespace wm::exchange
