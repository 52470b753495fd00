#pragma once
// The mounts of one generation. Immutable but for what their gates hold; any thread.
#include "base/digest.h"
#include "base/weak_map.h"
#include "config/mount_settings.h"
#include "http/url.h"
#include "mount/breaker.h"
#include "mount/limits.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wm::mount {

struct Mount {
    const config::Mount& settings;
    http::Origin origin;
    std::string authority; // for Host
    std::string base;      // path of the upstream's URL, without a slash at its end; mostly empty
    Limits limits;
    std::shared_ptr<Breaker> breaker;
    std::size_t most_idle; // connections that each loop keeps
};

class Mounts {
  public:
    // Goes on with the gates and circuits of `before` and all earlier ones, by name; behind another upstream, or with
    // another credential, a circuit is another one. `settings` and the clock outlive it. Throws std::runtime_error for
    // an upstream that is no URL.
    Mounts(const std::vector<config::Mount>& settings, const Clock& clock, const Mounts* before = nullptr);

    void take_effect() const; // gates and circuits get the new limits
    unsigned waiting() const; // requests at gates of mounts

    const std::vector<Mount>& all() const { return mounts_; }
    const Mount* find(std::string_view path) const; // of a request, as sent; null: none serves it

  private:
    struct Known { // of all generations, while anybody uses them
        WeakMap<std::string, gate::Gate> gates;
        WeakMap<Digest, Breaker> breakers;
    };
    std::shared_ptr<Breaker> breaker_of(const config::Mount& settings, const Clock& clock) const;

    const std::shared_ptr<Known> known_;
    std::vector<Mount> mounts_; // no two serve the same path
};

} // namespace wm::mount
