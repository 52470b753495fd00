#include "exchange/route.h"

#include "mount/request.h"

namespace wm::exchange {

std::optional<Refusal> route(const Generation& generation, Asked& asked) {
    const auto& head = asked.head;
    const auto& endpoints = generation.endpoints;
    auto found = endpoints.find(head.method(), head.path());
    if (!found.same_path) asked.mount = generation.mounts.find(head.path());
    if (asked.mount) {
        asked.protocol = endpoints.nearest(mount::path_behind(*asked.mount, head.path()));
        return std::nullopt;
    }
    asked.protocol =
        found.same_path && found.same_path->protocol ? found.same_path->protocol : endpoints.nearest(head.path());
    if (!found.same_path) return Refusal{.code = Code::not_found, .message = "there is nothing at this path"};
    asked.endpoint = found.same_path;
    // An upgrade is judged after the key: whether a path can be upgraded is for known clients to learn.
    const bool upgrade = !head.upgrade().empty() && found.same_path->kind == EndpointKind::inference;
    if (!found.endpoint && !upgrade)
        return Refusal{.code = Code::method_not_allowed,
                       .message = "this path does not take this method",
                       .allow = std::move(found.allow)};
    if (found.endpoint) asked.endpoint = found.endpoint;
    return std::nullopt;
}

std::optional<Refusal> identify(const config::Settings& settings, Asked& asked) {
    if (asked.asks_for(EndpointKind::health) || asked.asks_for(EndpointKind::ready)) return std::nullopt;
    const auto principal = identify(settings, asked.head);
    if (!principal) return Refusal{.code = Code::unauthorized, .message = "no valid API key was given"};
    return identified(*principal, asked);
}

std::optional<Refusal> identified(const Principal& principal, Asked& asked) {
    asked.principal = principal;
    if (asked.asks_for(EndpointKind::inference) && !asked.head.upgrade().empty())
        return Refusal{.code = Code::upgrade_required,
                       .message = "this path serves plain HTTP requests only; do not ask for an upgrade"};
    return std::nullopt;
}

} // namespace wm::exchange
