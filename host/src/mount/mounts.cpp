#include "mount/mounts.h"

#include "base/path_prefix.h"

#include <algorithm>
#include <stdexcept>

namespace wm::mount {

namespace {

// As many as the limits let in at once, so that a burst's connections are there for the next one.
std::size_t worth_keeping(const config::MountLimits& limits) {
    constexpr std::size_t fewest = 20;
    std::size_t all = 0;
    for (const auto& pool : limits.pools) all += pool.size;
    if (limits.global > 0) all = std::min<std::size_t>(all, limits.global);
    return std::max(all, fewest);
}

} // namespace

std::shared_ptr<Breaker> Mounts::breaker_of(const config::Mount& settings, const Clock& clock) const {
    const auto which = digest_of({settings.name, settings.upstream, settings.auth.secret.reveal()});
    auto breaker = known_->breakers.find(which);
    if (breaker) return breaker;
    breaker = std::make_shared<Breaker>(settings.breaker, clock);
    known_->breakers.put(which, breaker);
    return breaker;
}

Mounts::Mounts(const std::vector<config::Mount>& settings, const Clock& clock, const Mounts* before)
    : known_(before ? before->known_ : std::make_shared<Known>()) {
    for (const auto& one : settings) {
        auto url = http::parse_url(one.upstream);
        if (!url) throw std::runtime_error("[mount \"" + one.name + "\"] upstream: " + url.error());
        url->origin.verify = one.tls_verify;
        url->origin.ca_file = one.tls_ca_file;
        auto authority = url->origin.authority();
        Limits limits(one.limits, known_->gates.find(one.name), clock);
        known_->gates.put(one.name, limits.gate());
        mounts_.push_back({one, std::move(url->origin), std::move(authority),
                           url->target == "/" ? std::string() : std::move(url->target), std::move(limits),
                           breaker_of(one, clock), worth_keeping(one.limits)});
    }
}

void Mounts::take_effect() const {
    for (const auto& mount : mounts_) {
        mount.limits.resize();
        mount.breaker->configure(mount.settings.breaker);
    }
}

unsigned Mounts::waiting() const {
    unsigned all = 0;
    for (const auto& mount : mounts_) all += mount.limits.gate()->waiting();
    return all;
}

const Mount* Mounts::find(std::string_view path) const {
    for (const auto& mount : mounts_)
        if (behind_prefix(mount.settings.prefix, path)) return &mount;
    return nullptr;
}

} // namespace wm::mount
