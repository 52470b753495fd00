#pragma once
// What providers last said of the quotas of one generation's credentials, shared by all loops. Every method is safe on
// any thread and holds a short lock. Generations share what they have in common.
#include "base/rate_limit.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace wm::routing {

class CredentialLimits {
  public:
    // A key for each credential of each backend: equal ones are one credential. What `before` has under a key goes on.
    explicit CredentialLimits(const std::vector<std::vector<std::string>>& keys,
                              const CredentialLimits* before = nullptr);
    CredentialLimits(const CredentialLimits&) = delete;

    // Resources that are not among `said` keep what was said of them.
    void note(std::size_t backend, std::size_t credential, const RateLimits& said, std::int64_t now_ms) const;
    RateLimits last(std::size_t backend, std::size_t credential) const;

  private:
    struct Entry {
        explicit Entry(std::string the_key) : key(std::move(the_key)) {}
        const std::string key;
        std::mutex mutex;
        RateLimits limits; // empty: nothing was ever said
    };
    std::vector<std::vector<std::shared_ptr<Entry>>> entries_; // as the keys
};

} // namespace wm::routing
