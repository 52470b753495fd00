#include "exchange/endpoints.h"

#include "config/served_paths.h"

namespace wm::exchange {

Endpoints::Endpoints(const std::vector<const plugin::Transcoder*>& protocols, bool models, bool health_endpoints) {
    for (const auto* protocol : protocols) {
        if (!first_ || protocol->about().id == "openai-chat") first_ = protocol;
        for (const auto& operation : protocol->about().operations) {
            const bool local = operation.kind == "local";
            if (!local) shapes_.emplace_back(operation.path, protocol);
            if (!models || (local && operation.id != "count_tokens"))
                continue; // no other local operation is answered here
            table_.push_back({local ? EndpointKind::count_tokens : EndpointKind::inference, operation.method,
                              operation.path, protocol, &operation});
        }
    }
    if (models) table_.push_back({EndpointKind::models, "GET", std::string(config::models_path), first_});
    if (!health_endpoints) return;
    for (const auto path : config::health_paths) table_.push_back({EndpointKind::health, "GET", std::string(path)});
    for (const auto path : config::ready_paths) table_.push_back({EndpointKind::ready, "GET", std::string(path)});
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

const plugin::Transcoder* Endpoints::transcoder(std::string_view protocol) const {
    for (const auto& endpoint : table_)
        if (endpoint.protocol && endpoint.protocol->about().id == protocol) return endpoint.protocol;
    return nullptr;
}

const plugin::Transcoder* Endpoints::nearest(std::string_view path) const {
    for (const auto& [served, protocol] : shapes_)
        if (path.starts_with(served)) return protocol;
    for (const auto& [served, protocol] : shapes_)
        if (const auto second = served.find('/', 1);
            second != served.npos && path.ends_with(std::string_view(served).substr(second)))
            return protocol;
    return first_;
}

} // namespace wm::exchange
