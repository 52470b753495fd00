#include "mount/mounts.h"

#include "base/path_prefix.h"

#include <stdexcept>

namespace wm::mount {

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
                           Limits(one.limits, was ? &was->limits : nullptr, clock)});
    }
}

void Mounts::resize_gates() const {
    for (const auto& mount : mounts_) mount.limits.resize();
}

unsigned Mounts::waiting() const {
    unsigned all = 0;
    for (const auto& mount : mounts_) all += mount.limits.waiting();
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
