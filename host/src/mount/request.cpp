#include "mount/request.h"

#include "base/path_prefix.h"
#include "http/bearer.h"
#include "http/hop_by_hop.h"
#include "http/request_writer.h"

#include <algorithm>
#include <array>

namespace wm::mount {

namespace {

// What must not pass does not pass under another spelling either: to servers that hand fields on as variables (CGI,
// WSGI) X_Api_Key and X-Api-Key are one name.
constexpr char folded(char c) { return c == '_' ? '-' : lower(c); }
bool same(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return folded(x) == folded(y); });
}
bool begins_same(std::string_view name, std::string_view with) { return same(name.substr(0, with.size()), with); }

template <std::size_t N>
bool one_of(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::any_of(names.begin(), names.end(), [&](auto one) { return same(one, name); });
}

bool is_credential(std::string_view name) {
    constexpr std::array<std::string_view, 5> names{"authorization", "proxy-authorization", "x-api-key", "api-key",
                                                    "x-goog-api-key"};
    return one_of(names, name);
}

bool is_forwarding(std::string_view name) {
    constexpr std::array<std::string_view, 4> names{"x-forwarded-for", "x-forwarded-host", "x-forwarded-proto",
                                                    "forwarded"};
    return one_of(names, name);
}

// A version or a signature that belongs to the credential it came with.
bool goes_with_credential(std::string_view name) {
    return same(name, "anthropic-version") || same(name, "anthropic-beta") || begins_same(name, "x-amz-") ||
           begins_same(name, "x-goog-");
}

bool forwarded(const config::MountFields& fields, std::string_view name) {
    return std::any_of(fields.forwarded.begin(), fields.forwarded.end(), [&](std::string_view pattern) {
        return pattern.ends_with('*') ? ibegins(name, pattern.substr(0, pattern.size() - 1)) : iequals(pattern, name);
    });
}

bool stripped(const config::MountFields& fields, std::string_view name) {
    return std::any_of(fields.stripped.begin(), fields.stripped.end(), [&](std::string_view pattern) {
        return pattern.ends_with('*') ? begins_same(name, pattern.substr(0, pattern.size() - 1)) : same(pattern, name);
    });
}

bool holds(std::span<const std::string_view> withheld, std::string_view value) {
    return std::any_of(withheld.begin(), withheld.end(), [&](auto one) { return one.data() == value.data(); });
}

bool wants_trailers(const http::RequestHead& head) {
    bool wants = false;
    head.for_each("te", [&](std::string_view list) {
        for_each_element(list, [&](std::string_view one) { wants = wants || iequals(one, "trailers"); });
    });
    return wants;
}

} // namespace

std::string_view path_behind(const Mount& mount, std::string_view path) {
    const auto rest = behind_prefix(mount.settings.prefix, path).value_or(path);
    return rest.empty() ? std::string_view("/") : rest;
}

std::string target_for_upstream(const Mount& mount, const http::RequestHead& head, std::string_view whole_path,
                                std::span<const std::string_view> withheld) {
    const auto path = path_behind(mount, whole_path);
    if (path == "*") return std::string(path);
    std::string target = mount.base;
    target += path;
    if (!head.has_query()) return target;
    const auto& stripped = mount.settings.fields.query_stripped;
    bool dropped = false;
    const auto kept = http::query_without(head.query(), [&](std::string_view name, PairView member) {
        const bool drop =
            holds(withheld, member.value) || std::find(stripped.begin(), stripped.end(), name) != stripped.end();
        dropped = dropped || drop;
        return drop;
    });
    if (!dropped) return target.append("?").append(head.query()); // to the byte, empty members too
    return kept.empty() ? target : target.append("?").append(kept);
}

bool goes_upstream(const Mount& mount, PairView field, std::span<const std::string_view> withheld) {
    const auto& [name, value] = field;
    const auto& auth = mount.settings.auth;
    const auto& fields = mount.settings.fields;
    if (iequals(name, "host") || iequals(name, "content-length") || same(name, "x-watermaster-key")) return false;
    if (is_forwarding(name) || holds(withheld, value)) return false;
    if (!auth.field.empty() && same(name, auth.field)) return false;
    if (auth.strips && is_credential(name)) return false;
    if (auth.strips && goes_with_credential(name) && !forwarded(fields, name)) return false;
    if (!fields.cookies && same(name, "cookie")) return false;
    return !stripped(fields, name);
}

std::string_view upgrade_of(const http::RequestHead& head) {
    const auto protocol = head.upgrade();
    return iequals(protocol, "h2c") ? std::string_view() : protocol; // its frames would have to be understood here
}

Result<std::string, std::string> head_for_upstream(const Mount& mount, const http::RequestHead& head,
                                                   std::string_view path, std::span<const std::string_view> withheld) {
    const auto& auth = mount.settings.auth;
    std::vector<PairView> fields;
    fields.reserve(head.fields().size() + 4);
    const http::HopByHop hop(head);
    const auto hops = hops_left(head);
    bool versioned = false;
    for (const auto& field : head.fields()) {
        if (hop(field.name) || !goes_upstream(mount, field, withheld)) continue;
        if (hops && iequals(field.name, "max-forwards")) continue;
        if (head.minor_version() == 0 && iequals(field.name, "expect")) continue; // RFC 9110, 10.1.1: has no meaning
        if (!auth.anthropic_version.empty() && iequals(field.name, "anthropic-version") &&
            std::exchange(versioned, true))
            continue;
        fields.push_back(field);
    }
    // Behind everything of the client's, so that no list of the client's can name it away.
    const auto secret = auth.prefix + auth.secret.reveal();
    if (!auth.field.empty()) fields.push_back({auth.field, secret});
    if (!auth.anthropic_version.empty() && !versioned) fields.push_back({"Anthropic-Version", auth.anthropic_version});

    const auto hops_behind = std::to_string(hops.value_or(1) - 1);
    if (hops) fields.push_back({"Max-Forwards", hops_behind});

    const auto upgrade = upgrade_of(head);
    const bool trailers = wants_trailers(head), chunked = head.framing() == http::Framing::chunked;
    if (trailers) fields.push_back({"TE", "trailers"});
    if (chunked) head.for_each("trailer", [&](std::string_view value) { fields.push_back({"Trailer", value}); });
    if (!upgrade.empty()) fields.push_back({"Upgrade", upgrade});
    std::string options;
    const auto add = [&](std::string_view option) { options.append(options.empty() ? "" : ", ").append(option); };
    if (!upgrade.empty())
        add("Upgrade");
    else if (!mount.settings.keep_alives)
        add("close");
    if (trailers) add("TE");
    if (!options.empty()) fields.push_back({"Connection", options});

    std::optional<std::uint64_t> length;
    if (head.framing() == http::Framing::length) length = head.content_length();
    const auto target = target_for_upstream(mount, head, path, withheld);
    std::string out;
    out.reserve(512);
    if (!http::append_request(out, {head.method(), target, mount.authority, length, chunked}, fields))
        return Failure{std::string("the request's head cannot be written")};
    return out;
}

std::optional<std::uint64_t> hops_left(const http::RequestHead& head) {
    std::optional<std::uint64_t> least;
    if (head.method() != "OPTIONS") return least;
    head.for_each("max-forwards", [&](std::string_view value) {
        if (value.empty() || value.find_first_not_of("0123456789") != value.npos) return;
        const auto hops = parse_number<std::uint64_t>(value).value_or(UINT64_MAX);
        least = std::min(least.value_or(hops), hops);
    });
    return least;
}

std::string_view credential_of(const http::RequestHead& head, std::span<const std::string_view> withheld) {
    for (const auto& [name, value] : head.fields()) {
        if (!is_credential(name) || holds(withheld, value)) continue;
        const auto token = http::bearer_of(value).value_or(value);
        if (!token.empty()) return token;
    }
    return {};
}

Result<std::string, std::string> head_of_converted(const Mount& mount, const http::RequestHead& head,
                                                   std::span<const std::string_view> withheld, Converted converted) {
    const auto& own = mount.settings.fields;
    const auto& auth = converted.auth;
    auto& fields = converted.fields;
    std::erase_if(fields,
                  [&](const PairView& field) { return stripped(own, field.name) || holds(withheld, field.value); });
    const http::HopByHop hop(head);
    for (const auto& field : head.fields()) {
        const auto taken = [&](const PairView& one) { return iequals(one.name, field.name); };
        if (forwarded(own, field.name) && !hop(field.name) && goes_upstream(mount, field, withheld) &&
            std::none_of(fields.begin(), fields.end(), taken))
            fields.push_back(field);
    }
    const auto secret = auth.prefix + std::string(converted.credential);
    const auto replace = [&](std::string_view name, std::string_view value) {
        std::erase_if(fields, [&](const PairView& field) { return iequals(field.name, name); });
        fields.push_back({name, value});
    };
    if (!auth.field.empty() && !converted.credential.empty()) replace(auth.field, secret);
    if (!auth.anthropic_version.empty()) replace("Anthropic-Version", auth.anthropic_version);
    std::string out;
    out.reserve(512);
    if (!http::append_request(out, {"POST", converted.target, mount.authority, converted.length, false}, fields))
        return Failure{std::string("the request's head cannot be written")};
    return out;
}

} // namespace wm::mount
