#include "config/mount_auth.h"

#include "base/text.h"
#include "config/suggest.h"

#include <algorithm>
#include <array>

namespace wm::config {
namespace {

constexpr std::array<std::string_view, 5> mode_words{"auto", "bearer", "x-api-key", "api-key", "none"};
constexpr std::string_view modes = "auto, bearer, x-api-key, api-key, header:NAME or none";

} // namespace

bool is_field_name(std::string_view name) {
    constexpr std::string_view signs = "!#$%&'*+-.^_`|~";
    const auto fits = [&](char c) {
        return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || signs.find(c) != signs.npos;
    };
    return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

namespace {

constexpr std::array<std::string_view, 12> of_the_connection{
    "host", "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection",
    "te",   "trailer",        "upgrade",           "cookie",     "expect",     "http2-settings"};

template <std::size_t N>
bool has(const std::array<std::string_view, N>& all, std::string_view name) {
    return std::find(all.begin(), all.end(), name) != all.end();
}

std::string_view host_of(std::string_view url) {
    url.remove_prefix(std::min(url.find("://") + 3, url.size()));
    return url.substr(0, url.find_first_of(":/"));
}

bool is_anthropic(std::string_view upstream) {
    const auto host = lowered(host_of(upstream));
    return host == "anthropic.com" || host.ends_with(".anthropic.com");
}

} // namespace

std::optional<Complaint> take_auth_mode(std::string_view mode, std::string_view upstream, MountAuth& auth) {
    if (mode == "auto") mode = is_anthropic(upstream) ? "x-api-key" : "bearer";
    if (mode == "none") return std::nullopt;
    if (mode == "bearer")
        auth.field = "Authorization", auth.prefix = "Bearer ";
    else if (mode == "x-api-key")
        auth.field = "X-Api-Key", auth.anthropic_version = "2023-06-01";
    else if (mode == "api-key")
        auth.field = "Api-Key";
    else if (mode.starts_with("header:") && is_field_name(mode.substr(7)) &&
             !has(of_the_connection, lowered(mode.substr(7))))
        auth.field = mode.substr(7);
    else
        return Complaint{"not a mode" + did_you_mean(mode, mode_words), std::string(modes)};
    return std::nullopt;
}

Value<std::string> parse_anthropic_version(std::string_view text) {
    const auto fits = [](char c) { return c > ' ' && c < 0x7f; };
    if (text.empty() || !std::all_of(text.begin(), text.end(), fits))
        return Failure{Complaint{"not a version", "as in 2023-06-01"}};
    return std::string(text);
}

Value<Secret> parse_auth_source(std::string_view text, const SecretSource& secrets) {
    if (text == "none") return Secret();
    if (text.starts_with("env:") || text.starts_with("file:")) return parse_secret(text, secrets);
    return Failure{Complaint{"not a source", "env:NAME, file:PATH or none", false}};
}

std::string auth_mode_of(SectionReader& in, std::string_view mode_key, std::string_view header_key) {
    const auto* mode = in.one(mode_key);
    const auto* header = in.one(header_key);
    const std::string header_name(header_key);
    if (!header) {
        if (mode && mode->value == "header")
            in.bad(*mode, {"header without its name", "header:NAME, or " + header_name + " = NAME"});
        return mode && mode->value != "header" ? mode->value : "auto";
    }
    if (mode && mode->value != "header")
        in.bad(*header,
               {"beside another " + std::string(mode_key), std::string(mode_key) + " = header, or no " + header_name});
    else if (!is_field_name(header->value))
        in.bad(*header, {"not a field name", "a name as in X-Goog-Api-Key"});
    return "header:" + header->value;
}

namespace {

constexpr std::array<std::string_view, 5> credentials{"authorization", "proxy-authorization", "x-api-key", "api-key",
                                                      "x-goog-api-key"};
bool stripped_by_auth(std::string_view name) {
    return name == "anthropic-version" || name == "anthropic-beta" || name.starts_with("x-amz-") ||
           name.starts_with("x-goog-");
}

std::optional<Complaint> unsuitable(std::string_view name, bool forward, const MountAuth& auth) {
    if (name.empty() || !is_field_name(name) || name.substr(0, name.size() - 1).find('*') != name.npos || name == "*")
        return Complaint{"not a field name", "NAME to forward, !NAME to strip; a * may end it"};
    if (has(credentials, name))
        return Complaint{std::string(name) + " is a credential", "auth_source to strip it, none to forward it"};
    if (name == "forwarded" || name.starts_with("x-forwarded-"))
        return Complaint{std::string(name) + " is never sent upstream", "no mention of it"};
    if (name == "cookie") return Complaint{"cookies have a key of their own", "forward_cookies = yes or no"};
    if (has(of_the_connection, name) || name.starts_with("x-watermaster-"))
        return Complaint{std::string(name) + " belongs to the connection", "a field that is the client's to choose"};
    if (forward && !auth.strips)
        return Complaint{"everything is forwarded without auth_source", "!NAME to strip a field"};
    if (forward && !stripped_by_auth(name))
        return Complaint{std::string(name) + " is forwarded anyway",
                         "one of anthropic-version, anthropic-beta, x-amz-…, x-goog-…, or !NAME"};
    return std::nullopt;
}

} // namespace

void read_mount_auth(SectionReader& in, const SecretSource& secrets, Mount& mount) {
    auto& auth = mount.auth;
    const auto* source = in.one("auth_source");
    const bool given =
        in.read("auth_source", auth.secret, [&](std::string_view text) { return parse_auth_source(text, secrets); });
    const auto* mode_entry = in.one("auth_mode");
    const auto mode = auth_mode_of(in, "auth_mode", "auth_header");
    const auto* version = in.one("anthropic_version");

    const bool strips_only = mode_entry && mode == "none";
    auth.strips = source || strips_only;
    if (source && !given) return; // reported; what follows depends on it
    const bool attaches = source && source->value != "none";
    for (const auto* key : {"auth_mode", "auth_header", "anthropic_version"})
        if (const auto* entry = in.one(key); entry && !attaches && !(entry == mode_entry && strips_only))
            in.bad(*entry,
                   {"no effect without a credential", "auth_source = env:NAME or file:PATH in this section", false});
    if (!attaches) return;
    if (const auto complaint = take_auth_mode(mode, mount.upstream, auth)) {
        in.bad("auth_mode", *complaint);
        return;
    }
    if (!version) return;
    if (auth.anthropic_version.empty())
        return in.bad(*version, {"no effect with this auth_mode", "auth_mode = x-api-key", false});
    in.read("anthropic_version", auth.anthropic_version, parse_anthropic_version);
}

void read_mount_fields(SectionReader& in, Mount& mount) {
    auto& fields = mount.fields;
    in.flag("forward_cookies", fields.cookies);
    for (auto& [name, entry] : in.list("strip_query")) fields.query_stripped.push_back(name);
    for (const auto& [text, entry] : in.list("forward_headers")) {
        const bool forward = !text.starts_with('!');
        const auto name = lowered(std::string_view(text).substr(forward ? 0 : 1));
        const auto complaint = unsuitable(name, forward, mount.auth);
        if (complaint)
            in.bad(*entry, *complaint);
        else
            (forward ? fields.forwarded : fields.stripped).push_back(name);
    }
}

} // namespace wm::config
