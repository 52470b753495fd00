#include "exchange/route.h"

#include "base/path_prefix.h"
#include "config/served_paths.h"
#include "mount/request.h"

namespace wm::exchange {

std::optional<Refusal> route(const Generation& generation, Asked& asked) {
    const auto& head = asked.head;
    const auto& endpoints = generation.endpoints;
    asked.path = head.path();
    if (generation.settings->server.prio_prefix)
        if (const auto rest = behind_prefix(config::prio_prefix, asked.path)) {
            asked.path = rest->empty() ? "/" : *rest;
            asked.urgent = true;
        }
    auto found = endpoints.find(head.method(), asked.path);
    if (!found.same_path) asked.mount = generation.mounts.find(asked.path);
    if (asked.mount) {
        const auto path = mount::path_behind(*asked.mount, asked.path);
        asked.protocol = endpoints.nearest(path);
        // An upstream that answers it as asked would show the client the credential that is attached here.
        if (head.method() == "TRACE")
            return Refusal{.code = Code::method_not_allowed,
                           .message = "this path does not take this method",
                           .allow = std::string(mount::methods)};
        for (const auto& one : asked.mount->settings.transcode.routes)
            if (head.method() == "POST" && one.path == path) asked.transcode = &one, asked.protocol = one.client;
        return std::nullopt;
    }
    asked.protocol =
        found.same_path && found.same_path->protocol ? found.same_path->protocol : endpoints.nearest(asked.path);
    if (!found.same_path) {
        const auto meant = endpoints.meant(asked.path);
        return Refusal{.code = Code::not_found,
                       .message = "there is nothing at this path" +
                                  (meant.empty() ? std::string() : "; did you mean " + std::string(meant) + "?")};
    }
    asked.endpoint = found.same_path;
    asked.handle = std::move(found.handle);
    // An upgrade is judged after the key: whether a path can be upgraded is for known clients to learn.
    const bool upgrade = !head.upgrade().empty() && found.same_path->kind == EndpointKind::inference;
    if (!found.endpoint && !upgrade)
        return Refusal{.code = Code::method_not_allowed,
                       .message = "this path does not take this method",
                       .allow = std::move(found.allow)};
    if (found.endpoint) asked.endpoint = found.endpoint;
    return std::nullopt;
}

} // namespace wm::exchange
