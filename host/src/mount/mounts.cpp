#include "mount/mounts.h"

#include "base/path_prefix.h"

#include <algorithm>
#include <stdexcept>

namespace wm::mount {

namespace {

std::shared_ptr<Breaker> breaker_of(const config::Mount& settings, const Mount* before, const Clock& clock) {
    if (before && before->settings.upstream == settings.upstream &&
        before->settings.auth.secret.reveal() == settings.auth.secret.reveal())
        return before->breaker;
    return std::make_shared<Breaker>(settings.breaker, clock);
}

// As many as the limits let in at once, so that a burst's connections are there for the next one.
std::size_t worth_keeping(const config::MountLimits& limits) {
    constexpr std::size_t fewest = 20;
    std::size_t all = 0;
    for (const auto& pool : limits.pools) all += pool.size;
    if (limits.global > 0) all = std::min<std::size_t>(all, limits.global);
    return std::max(all, fewest);
}

} // namespace

Mounts::Mounts(const std::vector<config::Mount>& settings, const Clock& clock, const Mounts* before) {
    for (const auto& one : settings) {
        auto url = http::parse_url(one.upstream);
        if (!url) throw std::runtime_error("[mount \"" + one.name + "\"] upstream: " + url.error());
        url->origin.verify = one.tls_verify;
        url->origin.ca_file = one.tls_ca_file;
        auto authority = url->origin.authority();
        const auto* was = before ? before->named(one.name) : nullptr;
        mounts_.push_back({one, std::move(url->origin), std::move(authority),
                           url->target == "/" ? std::string() : std::move(url->target),
                           Limits(one.limits, was ? &was->limits : nullptr, clock), breaker_of(one, was, clock),
                           worth_keeping(one.limits)});
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

const Mount* Mounts::named(const std::string& name) const {
    for (const auto& mount : mounts_)
        if (mount.settings.name == name) return &mount;
    return nullptr;
}

const Mount* Mounts::find(std::string_view path) const {
    for (const auto& mount : mounts_)
        if (behind_prefix(mount.settings.prefix, path)) return &mount;
    return nullptr;
}

} // namespace wm::mount
