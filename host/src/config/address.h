#pragma once
// Addresses and URLs as the configuration writes them. Nothing is resolved.
#include "config/value.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace wm::config {

struct ListenAddress {
    std::string host; // an IP address without brackets
    std::uint16_t port = 0;
    bool loopback = false;
};

Value<ListenAddress> parse_listen(std::string_view text); // "127.0.0.1:8080", "[::1]:8080"

enum class UrlUse : unsigned char { base, complete }; // a base takes no query

Value<std::string> parse_url(std::string_view text, UrlUse use); // the text itself, if it is a usable http or https URL

} // namespace wm::config
