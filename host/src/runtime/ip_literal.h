#pragma once
// An IP address as text, in the one spelling that every reader takes for an address: four decimal numbers, or IPv6
// without brackets. Poco and the C library take more (127.1, 0x7f000001), which OpenSSL's check of a certificate does
// not: what connects to an address must also be verified as one.
#include <Poco/Net/IPAddress.h>

#include <arpa/inet.h>

#include <optional>
#include <string>

namespace wm::runtime {

inline std::optional<Poco::Net::IPAddress> ip_literal(const std::string& text) {
    in_addr four;
    if (::inet_pton(AF_INET, text.c_str(), &four) == 1) return Poco::Net::IPAddress(&four, sizeof four);
    in6_addr six;
    if (::inet_pton(AF_INET6, text.c_str(), &six) == 1) return Poco::Net::IPAddress(&six, sizeof six);
    return std::nullopt;
}

} // namespace wm::runtime
