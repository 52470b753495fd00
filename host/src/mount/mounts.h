#pragma once
// The mounts of one generation. Immutable; any thread.
#include "config/mount_settings.h"
#include "http/url.h"

#include <string>
#include <string_view>
#include <vector>

namespace wm::mount {

struct Mount {
    const config::Mount& settings;
    http::Origin origin;
    std::string authority; // for Host
    std::string base;      // path of the upstream's URL, without a slash at its end; mostly empty
};

class Mounts {
  public:
    // `settings` outlives it. Throws std::runtime_error for an upstream that is no URL.
    explicit Mounts(const std::vector<config::Mount>& settings);

    const Mount* find(std::string_view path) const; // of a request, as sent; null: none serves it

  private:
    std::vector<Mount> mounts_; // no two serve the same path
};

} // namespace wm::mount
