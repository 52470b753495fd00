#pragma once
// Which fields end at this hop (RFC 9110, 7.6.1): those of the connection, and all that a Connection line names.
#include "http/head.h"

#include <array>
#include <string_view>
#include <vector>

namespace wm::http {

// Holds views into the head it was made from; one head, one predicate.
class HopByHop {
  public:
    explicit HopByHop(const Head& head) {
        head.for_each("Connection", [&](std::string_view list) {
            for_each_element(list, [&](std::string_view name) { named_.push_back(name); });
        });
    }
    bool operator()(std::string_view name) const { // true: never forward it
        for (const auto always : fields)
            if (iequals(always, name)) return true;
        for (const auto named : named_)
            if (iequals(named, name)) return true;
        return false;
    }

  private:
    static constexpr std::array<std::string_view, 10> fields{
        "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "Proxy-Authenticate",
        "TE",         "Trailer",    "Upgrade",          "Transfer-Encoding",   "HTTP2-Settings"};
    std::vector<std::string_view> named_;
};

} // namespace wm::http
