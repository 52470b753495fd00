#include "plugin/limits_sink.h"

#include "base/characters.h"
#include "base/text.h"

#include <algorithm>

namespace wm::plugin {

// `RESOURCE/limit`, `RESOURCE/remaining` or `RESOURCE/reset`, behind it `@SCOPE` where it is not the credential's.
const char* LimitsSink::take(const wm_event& event) {
    if (event.tag != WM_OUT_LIMIT) return nullptr; // newer than this host
    const auto name = to_view(event.name);
    const auto slash = name.find('/');
    const auto at = std::min(name.find('@', slash == name.npos ? 0 : slash), name.size());
    const auto resource = name.substr(0, slash), scope = at == name.size() ? std::string_view() : name.substr(at + 1);
    if (slash == name.npos || !is_token(resource) || (at != name.size() && !is_token(scope)))
        return "a LIMIT whose name is not RESOURCE/limit, /remaining or /reset, with @SCOPE where it has one";
    const auto number = parse_number<std::int64_t>(to_view(event.value));
    if (!number) return "a LIMIT whose value is no decimal number";
    const auto kind = name.substr(slash + 1, at - slash - 1);
    // The credential's own quotas are those without a scope.
    auto* limit = rate_limit(limits, resource, scope == "credential" ? std::string_view() : scope);
    if (!limit) return "too many LIMITs, or too long a name";
    if (kind == "limit") limit->limit = number;
    if (kind == "remaining") limit->remaining = number;
    if (kind == "reset") limit->reset_ms = number;
    return nullptr; // another kind: a newer plugin's
}

} // namespace wm::plugin
