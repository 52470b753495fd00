#include "exchange/upstream_origin.h"

#include "base/characters.h"
#include "plugin/guard.h"

namespace wm::exchange {

UpstreamOrigin::UpstreamOrigin(const config::Backend& backend) : backend_(backend) {
    const std::string_view address = backend.address;
    const auto authority = address.find("://");
    if (authority == address.npos) return;
    auto url = http::parse_url(address);
    if (!url) return;
    prefix_ = address.substr(0, address.find_first_of("/?#", authority + 3));
    origin_ = std::make_shared<const http::Origin>(secured(std::move(url->origin)));
}

Result<Destination, std::string> UpstreamOrigin::of(std::string_view url) const {
    // Nearly every URL begins with the configured address, of which all is known: only the rest is looked at.
    if (origin_ && url.starts_with(prefix_)) {
        const auto target = url.substr(prefix_.size());
        if (target.starts_with('/') && all(target, target_char)) return Destination{origin_, std::string(target)};
    }
    auto parsed = http::parse_url(url);
    if (!parsed) return Failure{std::move(parsed.error())};
    if (!plugin::authority_allowed(url, backend_.bound->about(), backend_.address))
        return Failure{std::string("it leaves the backend's endpoint")};
    return Destination{std::make_shared<const http::Origin>(secured(std::move(parsed->origin))),
                       std::move(parsed->target)};
}

http::Origin UpstreamOrigin::secured(http::Origin origin) const {
    origin.verify = backend_.tls_verify;
    origin.ca_file = backend_.tls_ca_file;
    if (const auto& identity = backend_.tls_identity) {
        origin.certificate_file = identity->certificate;
        origin.key_file = identity->key;
    }
    return origin;
}

} // namespace wm::exchange
