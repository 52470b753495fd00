#pragma once
// What a provider says of one of a credential's quotas, as read from the head of an answer.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wm {

struct RateLimit {
    std::string resource; // "requests", "tokens", "input_tokens", ...
    std::string scope;    // whose quota it is, "project"; empty: the credential's
    std::optional<std::int64_t> limit, remaining;
    std::optional<std::int64_t> reset_ms; // from when it was said until the quota is full again
    std::int64_t at_ms = 0;               // when it was said, Unix time
};

using RateLimits = std::vector<RateLimit>; // each resource and scope once

// The one of a resource and scope, made where there is none. Null: too many, or too long, for a provider's own words.
inline RateLimit* rate_limit(RateLimits& limits, std::string_view resource, std::string_view scope) {
    constexpr std::size_t most = 16, longest = 64;
    for (auto& one : limits)
        if (one.resource == resource && one.scope == scope) return &one;
    if (limits.size() == most || resource.size() > longest || scope.size() > longest) return nullptr;
    return &limits.emplace_back(RateLimit{.resource = std::string(resource), .scope = std::string(scope)});
}

} // namespace wm
