#pragma once
// Where a backend's requests go.
#include "config/settings.h"
#include "http/url.h"

#include <memory>
#include <string>
#include <string_view>

namespace wm::exchange {

struct Destination {
    std::shared_ptr<const http::Origin> origin;
    std::string target; // path and query
};

// What is known of a backend's origin before any request. Immutable; any thread; outlived by the settings.
class UpstreamOrigin {
  public:
    explicit UpstreamOrigin(const config::Backend& backend);

    // Of a URL an adapter made: only where the backend's requests may go (plugin::authority_allowed). The error says
    // what is wrong with it, and repeats nothing of it.
    Result<Destination, std::string> of(std::string_view url) const;

  private:
    http::Origin secured(http::Origin origin) const;

    const config::Backend& backend_;
    std::string prefix_;                         // scheme and authority of the configured address, as written there
    std::shared_ptr<const http::Origin> origin_; // of that address; null: the adapter knows its own
};

} // namespace wm::exchange
