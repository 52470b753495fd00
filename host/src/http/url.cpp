#include "http/url.h"

#include "base/characters.h"
#include "base/text.h"

#include <arpa/inet.h>

#include <algorithm>

namespace wm::http {

namespace {

struct HostPort {
    std::string_view host, port; // host without brackets
    bool v6 = false;
};

bool is_ipv6(std::string_view text) {
    in6_addr ignored;
    return text.size() < 46 && inet_pton(AF_INET6, std::string(text).c_str(), &ignored) == 1;
}

// Readers disagree about a host that ends in a number and is no dotted quad: some take 127.1 or 0x7f.1 for an address
// (https://url.spec.whatwg.org/#ends-in-a-number-checker).
bool almost_ipv4(std::string_view host) {
    in_addr ignored;
    if (inet_pton(AF_INET, std::string(host).c_str(), &ignored) == 1) return false;
    if (host.ends_with('.')) host.remove_suffix(1);
    const auto last = host.substr(host.rfind('.') + 1); // all of it, if there is none
    const auto digits = [](std::string_view text, std::string_view allowed) {
        return text.find_first_not_of(allowed) == text.npos;
    };
    if (last.starts_with("0x") || last.starts_with("0X")) return digits(last.substr(2), "0123456789abcdefABCDEF");
    return !last.empty() && digits(last, "0123456789");
}

std::optional<HostPort> split_host(std::string_view text) {
    HostPort parts;
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == text.npos) return std::nullopt;
        parts = {text.substr(1, end - 1), {}, true};
        text.remove_prefix(end + 1);
        if (!is_ipv6(parts.host)) return std::nullopt;
    } else {
        const auto end = std::min(text.find(':'), text.size());
        parts.host = text.substr(0, end);
        text.remove_prefix(end);
        if (parts.host.empty() || parts.host.size() > 255 || !all(parts.host, unreserved_char)) return std::nullopt;
    }
    if (text.empty()) return parts;
    if (text.front() != ':') return std::nullopt;
    parts.port = text.substr(1);
    if (parts.port.empty()) return parts; // legal (RFC 3986, 3.2.3)
    const auto number = parse_number<std::uint16_t>(parts.port);
    if (!number || *number == 0) return std::nullopt;
    return parts;
}

bool is_loopback(std::string_view host) { return host == "localhost" || host == "::1" || host.starts_with("127."); }

std::string missing_scheme(std::string_view text) {
    std::string error = "the URL has no scheme; expected http:// or https://";
    const auto authority = text.substr(0, text.find_first_of("/?#"));
    const auto parts = split_host(authority);
    if (!parts) return error; // not a host either, or with userinfo: there is nothing to suggest, or to repeat
    return error.append("; did you mean ").append(is_loopback(parts->host) ? "http://" : "https://").append(text) +=
           '?';
}

} // namespace

std::string Origin::authority() const {
    const bool v6 = host.find(':') != host.npos;
    auto text = v6 ? '[' + host + ']' : host;
    if (port != (tls ? 443 : 80)) text.append(":").append(std::to_string(port));
    return text;
}

std::size_t OriginHash::operator()(const Origin& origin) const {
    return std::hash<std::string>()(origin.host) * 31 + origin.port * 2u + origin.tls;
}

bool valid_host(std::string_view text) { return split_host(text).has_value(); }

Result<Url, std::string> parse_url(std::string_view text) {
    const auto fail = [](std::string_view why) { return Failure{std::string(why)}; };
    const auto colon = text.find("://");
    if (colon == text.npos || text.find_first_of("/?#") < colon) return Failure{missing_scheme(text)};
    const auto scheme = text.substr(0, colon);
    Url url;
    url.origin.tls = iequals(scheme, "https");
    if (!url.origin.tls && !iequals(scheme, "http")) return fail("the URL's scheme must be http or https");
    text.remove_prefix(colon + 3);

    const auto end = std::min(text.find_first_of("/?#"), text.size());
    const auto authority = text.substr(0, end);
    text.remove_prefix(end);
    if (authority.find('@') != authority.npos)
        return fail("the URL holds a user or password before '@'; configure a credential instead");
    const auto parts = split_host(authority);
    if (!parts || authority.ends_with(':')) // legal, but whoever writes it means to add something
        return fail("the URL's host is malformed; expected a name, an IPv4 address or an IPv6 address in brackets, "
                    "with an optional port from 1 to 65535");
    if (!parts->v6 && almost_ipv4(parts->host))
        return fail("the URL's host ends in a number and is no IPv4 address; expected four decimal numbers without "
                    "leading zeros");
    url.origin.host = lowered(parts->host);
    url.origin.port = parts->port.empty() ? (url.origin.tls ? 443 : 80) : *parse_number<std::uint16_t>(parts->port);

    if (text.find('#') != text.npos) return fail("the URL has a fragment ('#'), which is never sent");
    if (!all(text, target_char)) return fail("the URL's path has a character that must be percent-encoded");
    if (!text.starts_with('/')) url.target = '/';
    url.target += text;
    return url;
}

std::optional<std::string> percent_decode(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        if (i + 2 >= text.size() || hex_value(text[i + 1]) < 0 || hex_value(text[i + 2]) < 0) return std::nullopt;
        out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
        i += 2;
    }
    return out;
}

void percent_encode(std::string& out, std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (is(c, unreserved_char))
            out += c;
        else
            (out += '%').append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
    }
}

namespace {

template <class F>
void for_each_member(std::string_view query, F&& f) { // f(whole, name, value)
    while (!query.empty()) {
        const auto whole = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(whole.size() + 1, query.size()));
        if (whole.empty()) continue;
        const auto equals = whole.find('=');
        f(whole, whole.substr(0, equals), equals == whole.npos ? std::string_view() : whole.substr(equals + 1));
    }
}

} // namespace

std::vector<PairView> split_query(std::string_view query) {
    std::vector<PairView> members;
    for_each_member(query, [&](auto, auto name, auto value) { members.push_back({name, value}); });
    return members;
}

std::string query_without(std::string_view query, const DropMember& drop) {
    std::string out;
    for_each_member(query, [&](std::string_view whole, std::string_view raw, std::string_view value) {
        const auto decoded = percent_decode(raw);
        if (drop(decoded ? std::string_view(*decoded) : raw, {raw, value})) return;
        if (!out.empty()) out += '&';
        out += whole;
    });
    return out;
}

} // namespace wm::http
