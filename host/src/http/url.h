#pragma once
// Absolute http and https URLs, and the parts of a request target.
#include "base/pair.h"
#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wm::http {

// Where connections go. Two origins that differ in any member never share a connection.
struct Origin {
    bool tls = false;
    std::string host; // lower case; an IPv6 literal without brackets
    std::uint16_t port = 80;
    bool verify = true;                                         // TLS: check the certificate and its name
    std::filesystem::path ca_file;                              // TLS: trusted authorities; empty: the system's
    std::filesystem::path certificate_file = {}, key_file = {}; // TLS: shown to a server that asks; empty: none

    std::string authority() const; // for Host: brackets round IPv6, no default port
    bool operator==(const Origin&) const = default;
};

struct OriginHash {
    std::size_t operator()(const Origin& origin) const;
};

struct Url {
    Origin origin;
    std::string target; // path and query, percent-encoded as given; begins with '/'
};

// The error is for whoever wrote the URL: what is wrong, and what to write instead where that is plain. It repeats no
// userinfo.
Result<Url, std::string> parse_url(std::string_view text);

bool valid_host(std::string_view text); // a Host value: name, IPv4 or [IPv6], with an optional port

std::optional<std::string> percent_decode(std::string_view text); // nothing on a malformed escape; '+' stays '+'
void percent_encode(std::string& out, std::string_view text);     // all but unreserved characters

// Members of a query as they stand, still encoded, in order; empty ones are skipped. A member without '=' has an
// empty value. Views point into `query`.
std::vector<PairView> split_query(std::string_view query);

// The query without the members that are to be dropped; the others unchanged and in order. `name` is decoded, or as it
// stands where that cannot be done.
using DropMember = std::function<bool(std::string_view name, PairView member)>;
std::string query_without(std::string_view query, const DropMember& drop);

} // namespace wm::http
