#include "mount/mounts.h"

#include "base/path_prefix.h"

#include <stdexcept>

namespace wm::mount {

Mounts::Mounts(const std::vector<config::Mount>& settings) {
    for (const auto& one : settings) {
        auto url = http::parse_url(one.upstream);
        if (!url) throw std::runtime_error("[mount \"" + one.name + "\"] upstream: " + url.error());
        url->origin.verify = one.tls_verify;
        url->origin.ca_file = one.tls_ca_file;
        auto authority = url->origin.authority();
        mounts_.push_back({one, std::move(url->origin), std::move(authority), url->target == "/" ? std::string() : std::move(url->target)});
    }
}

const Mount* Mounts::find(std::string_view path) const {
    for (const auto& mount : mounts_)
        if (behind_prefix(mount.settings.prefix, path)) return &mount;
    return nullptr;
}

} // namespace wm::mount
