#include "routing/credential_limits.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace wm::routing {

CredentialLimits::CredentialLimits(const std::vector<std::vector<std::string>>& keys, const CredentialLimits* before) {
    std::unordered_map<std::string_view, std::shared_ptr<Entry>> known;
    if (before)
        for (const auto& backend : before->entries_)
            for (const auto& entry : backend) known.emplace(entry->key, entry);
    for (const auto& backend : keys) {
        auto& entries = entries_.emplace_back();
        for (const auto& key : backend) {
            const auto found = known.find(key);
            entries.push_back(found != known.end() ? found->second : std::make_shared<Entry>(key));
            known.emplace(entries.back()->key, entries.back());
        }
    }
}

void CredentialLimits::note(std::size_t backend, std::size_t credential, const RateLimits& said,
                            std::int64_t now_ms) const {
    auto& entry = *entries_[backend][credential];
    const std::lock_guard lock(entry.mutex);
    for (const auto& one : said) {
        auto* limit = rate_limit(entry.limits, one.resource, one.scope);
        if (!limit) // full: what was not heard of for longest makes room
            limit = &*std::min_element(entry.limits.begin(), entry.limits.end(),
                                       [](const RateLimit& a, const RateLimit& b) { return a.at_ms < b.at_ms; });
        *limit = one;
        limit->at_ms = now_ms;
    }
}

RateLimits CredentialLimits::last(std::size_t backend, std::size_t credential) const {
    auto& entry = *entries_[backend][credential];
    const std::lock_guard lock(entry.mutex);
    return entry.limits;
}

} // namespace wm::routing
