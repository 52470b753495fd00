#include "plugin/guard.h"

#include "base/text.h"

#include <algorithm>
#include <watermaster/json_scan.hpp>

namespace wm::plugin {

namespace {

struct Origin {
    std::string_view scheme, authority; // the scheme's own port left out

    bool operator==(const Origin& other) const {
        return iequals(scheme, other.scheme) && iequals(authority, other.authority);
    }
};

std::optional<Origin> origin_of(std::string_view url) {
    const auto unfit = [](unsigned char c) { return c <= 0x20 || c >= 0x7f || c == '\\'; };
    if (std::any_of(url.begin(), url.end(), unfit)) return std::nullopt;
    const auto colon = url.find("://");
    if (colon == url.npos) return std::nullopt;
    Origin out;
    out.scheme = url.substr(0, colon);
    const bool tls = iequals(out.scheme, "https");
    if (!tls && !iequals(out.scheme, "http")) return std::nullopt;
    std::string_view rest = url.substr(colon + 3);
    rest = rest.substr(0, rest.find_first_of("/?#"));
    const std::string_view own_port = tls ? ":443" : ":80";
    if (rest.ends_with(own_port)) rest.remove_suffix(own_port.size());
    if (rest.empty() || rest.find('@') != rest.npos) return std::nullopt;
    out.authority = rest;
    return out;
}

} // namespace

std::optional<std::string> find_guarded(std::string_view body, std::span<const std::string> members) {
    std::optional<std::string> found;
    wm::sdk::json::Scan scan(body);
    if (members.empty() || scan.kind() != wm::sdk::json::Kind::object) return std::nullopt;
    scan.members([&](const wm::sdk::json::Name& name) {
        if (found) return;
        const auto same = std::find_if(members.begin(), members.end(), [&](const auto& m) { return name.folds_to(m); });
        if (same != members.end()) found = *same;
    });
    if (!found && !scan.finish()) found = members.front();
    return found;
}

bool authority_allowed(std::string_view url, const AdapterFacts& facts, std::string_view configured) {
    const auto origin = origin_of(url);
    if (!origin) return false;
    if (facts.endpoint != "own") return origin == origin_of(configured);
    return std::any_of(facts.hosts.begin(), facts.hosts.end(), [&](const std::string& host) {
        const auto allowed = "https://" + host;
        return origin == origin_of(allowed);
    });
}

} // namespace wm::plugin
