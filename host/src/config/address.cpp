#include "config/address.h"

#include "base/text.h"

#include <algorithm>
#include <arpa/inet.h>

namespace wm::config {
namespace {

constexpr std::string_view listen_shape = "an IP address and a port, as in 127.0.0.1:8080 or [::1]:8080";

bool is_loopback(const in6_addr& a) {
    if (IN6_IS_ADDR_V4MAPPED(&a)) return a.s6_addr[12] == 127;
    return IN6_IS_ADDR_LOOPBACK(&a);
}

bool good_port(std::string_view text) {
    const auto port = parse_number<std::uint16_t>(text);
    return port && *port != 0;
}

bool good_host(std::string_view host) {
    return !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
        c = lower(c);
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    });
}

bool good_authority(std::string_view authority) {
    auto host = authority, port = std::string_view();
    if (authority.starts_with('[')) {
        const auto end = authority.find(']');
        if (end == authority.npos) return false;
        in6_addr address;
        if (inet_pton(AF_INET6, std::string(authority.substr(1, end - 1)).c_str(), &address) != 1) return false;
        if (end + 1 == authority.size()) return true;
        return authority[end + 1] == ':' && good_port(authority.substr(end + 2));
    }
    if (const auto colon = authority.find(':'); colon != authority.npos) {
        host = authority.substr(0, colon);
        port = authority.substr(colon + 1);
        if (!good_port(port)) return false;
    }
    return good_host(host);
}

} // namespace

Value<ListenAddress> parse_listen(std::string_view text) {
    const auto colon = text.rfind(':');
    const auto port = colon == text.npos ? std::nullopt : parse_number<std::uint16_t>(text.substr(colon + 1));
    if (!port) return Failure{Complaint{"not an address to listen on", std::string(listen_shape)}};
    const std::string host(text.substr(0, colon));
    in_addr v4;
    if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return ListenAddress{host, *port, (ntohl(v4.s_addr) >> 24) == 127};
    in6_addr v6;
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        const auto inner = host.substr(1, host.size() - 2);
        if (inet_pton(AF_INET6, inner.c_str(), &v6) == 1) return ListenAddress{inner, *port, is_loopback(v6)};
    }
    const std::string expected = host.empty() ? "0.0.0.0" + std::string(text) + " for every interface, 127.0.0.1" +
                                                    std::string(text) + " for this machine"
                                              : std::string(listen_shape);
    return Failure{Complaint{"not an address to listen on", expected}};
}

Value<std::string> parse_url(std::string_view text, UrlUse use) {
    // A password or a key in a URL must not come back in a message.
    const bool show = text.find_first_of("@?") == text.npos;
    const auto bad = [&](std::string problem, std::string expected) {
        return Failure{Complaint{std::move(problem), std::move(expected), show}};
    };
    const auto visible = [](char c) { return c > ' ' && c < 0x7f; };
    if (text.empty() || !std::all_of(text.begin(), text.end(), visible))
        return bad("not a URL", "http:// or https://, a host and a path, without spaces");
    const auto scheme_end = text.find("://");
    if (scheme_end == text.npos) {
        if (!show) return bad("a URL without a scheme", "https:// or http:// before it");
        return bad("a URL without a scheme", "https://" + std::string(text) + " or http://" + std::string(text));
    }
    const auto scheme = text.substr(0, scheme_end);
    if (scheme != "http" && scheme != "https") return bad("a URL with another scheme", "http:// or https://");
    const auto rest = text.substr(scheme_end + 3);
    const auto authority = rest.substr(0, rest.find_first_of("/?#"));
    if (authority.find('@') != authority.npos)
        return bad("a URL with a user or password", "the key in a [credential] section");
    if (!good_authority(authority))
        return bad("a URL without a usable host and port", "as in https://api.example.com or http://127.0.0.1:9000");
    if (text.find('#') != text.npos) return bad("a URL with a fragment", "no # in it");
    if (use == UrlUse::base && text.find('?') != text.npos)
        return bad("a base URL with a query", "no ? in it, or endpoint instead of base_url");
    return std::string(text);
}

} // namespace wm::config
