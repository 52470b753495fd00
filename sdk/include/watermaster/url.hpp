#pragma once
// The one joiner of base URLs and operation paths, and the encoder of what goes into a path.
#include <optional>
#include <string>
#include <string_view>

namespace wm::sdk {

namespace detail {

// Where the path of an absolute http(s) URL begins; npos: it is not one.
inline std::size_t path_start(std::string_view url) {
    const std::size_t scheme = url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : 0;
    if (!scheme) return std::string_view::npos;
    const std::size_t path = url.find_first_of("/?#", scheme);
    return path == std::string_view::npos ? url.size() : path;
}

} // namespace detail

// What is wrong with a configured URL, and what to do; empty: nothing. A base may have no query, as it is joined.
inline std::string_view url_problem(std::string_view url, bool base) {
    for (const char c : url)
        if (static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7F)
            return "has white space or bytes outside ASCII; write them percent-encoded";
    const std::size_t path = detail::path_start(url);
    if (path == std::string_view::npos) return "has no scheme; write http:// or https:// in front of it";
    const std::string_view authority = url.substr(url.find("//") + 2, path - url.find("//") - 2);
    if (authority.empty() || authority.front() == ':') return "has no host";
    if (authority.find('@') != std::string_view::npos)
        return "has user information; give credentials in their own section";
    if (url.find('#') != std::string_view::npos) return "has a fragment; remove it";
    if (base && url.find('?') != std::string_view::npos) return "has a query, which cannot be joined; use endpoint";
    return {};
}

// Joins a base and an operation path, which starts with '/' ("/v1/messages").
// - White space and doubled slashes: none come out; a trailing slash of the base does not matter.
// - A path prefix of the base is kept.
// - A base that already ends in the first segment of the path ("/v1") gets it once; one that does not, gets it.
// An upstream without that segment is configured by `endpoint`, which is never joined.
inline std::string join_url(std::string_view base, std::string_view path) {
    const std::size_t start = detail::path_start(base);
    std::string url(base.substr(0, start));
    const std::size_t origin = url.size();
    const auto append = [&url](std::string_view part) {
        for (const char c : part)
            if (c != '/' || !url.ends_with('/')) url.push_back(c);
    };
    if (start != std::string_view::npos) append(base.substr(start));
    if (url.size() > origin && url.back() == '/') url.pop_back();

    const std::string_view first = path.substr(0, path.find('/', 1)); // "/v1"
    const std::string_view prefix = std::string_view(url).substr(origin);
    if (first.size() > 1 && prefix.ends_with(first)) path.remove_prefix(first.size());
    append(path);
    return url;
}

// One path segment, percent-encoded: nothing in it can end the segment or climb out of it.
inline std::string encode_segment(std::string_view segment) {
    constexpr char hex[] = "0123456789ABCDEF";
    constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~";
    const bool dots = segment.find_first_not_of('.') == std::string_view::npos; // "." and ".." mean places
    std::string out;
    out.reserve(segment.size());
    for (const char c : segment) {
        if (plain.find(c) != std::string_view::npos || (c == '.' && !dots)) {
            out.push_back(c);
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out.push_back('%');
            out.push_back(hex[byte >> 4]);
            out.push_back(hex[byte & 15]);
        }
    }
    return out;
}

} // namespace wm::sdk
