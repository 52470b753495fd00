#include "exchange/endpoints.h"

#include "config/served_paths.h"
#include "http/url.h"

namespace wm::exchange {

Endpoints::Endpoints(const std::vector<const plugin::Transcoder*>& protocols, bool models, bool health_endpoints) {
    for (const auto* protocol : protocols) {
        if (!first_ || protocol->about().id == "openai-chat") first_ = protocol;
        for (const auto& operation : protocol->about().operations) {
            const bool local = operation.kind == "local";
            if (const auto shape = PathTemplate::parse(operation.path); shape && !local)
                shapes_.emplace_back(*shape, protocol);
            if (!models || (local && operation.id != "count_tokens"))
                continue; // no other local operation is answered here
            add(local ? EndpointKind::count_tokens : EndpointKind::inference, operation.method, operation.path,
                protocol, &operation);
        }
    }
    if (models) add(EndpointKind::models, "GET", config::models_path, first_, nullptr);
    if (!health_endpoints) return;
    for (const auto path : config::health_paths) add(EndpointKind::health, "GET", path, nullptr, nullptr);
    for (const auto path : config::ready_paths) add(EndpointKind::ready, "GET", path, nullptr, nullptr);
}

void Endpoints::add(EndpointKind kind, std::string_view method, std::string_view path,
                    const plugin::Transcoder* protocol, const plugin::Operation* operation) {
    if (const auto pattern = PathTemplate::parse(path))
        table_.push_back({kind, std::string(method), std::string(path), *pattern, protocol, operation});
}

Endpoints::Found Endpoints::find(std::string_view method, std::string_view path) const {
    auto found = find(method, path, false);
    return found.same_path ? found : find(method, path, true);
}

Endpoints::Found Endpoints::find(std::string_view method, std::string_view path, bool captured) const {
    Found found;
    for (const auto& endpoint : table_) {
        if (endpoint.pattern.captures() != captured) continue;
        const auto name = endpoint.pattern.match(path);
        auto handle = name ? http::percent_decode(*name) : std::nullopt;
        if (!handle) continue;
        found.same_path = &endpoint;
        found.handle = std::move(*handle);
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
        if (path.starts_with(served.before())) return protocol;
    for (const auto& [served, protocol] : shapes_)
        if (const auto second = served.before().find('/', 1);
            !served.captures() && second != std::string_view::npos && path.ends_with(served.before().substr(second)))
            return protocol;
    return first_;
}

std::string_view Endpoints::meant(std::string_view path) const {
    while (path.ends_with('/')) path.remove_suffix(1);
    if (path.empty()) return {};
    for (const auto& endpoint : table_) {
        if (!endpoint.protocol || endpoint.pattern.captures()) continue;
        const std::string_view served = endpoint.path;
        const auto second = served.find('/', 1);
        if (second == served.npos) continue;
        if (path.ends_with(served.substr(second)) || (path.starts_with('/') && served.ends_with(path))) return served;
    }
    return {};
}

} // namespace wm::exchange
