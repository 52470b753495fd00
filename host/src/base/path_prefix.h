#pragma once
// Paths by whole segments. Bytes are compared as they are: nothing is decoded, no dot segment is removed.
#include <optional>
#include <string_view>

namespace wm {

// What is left of `path` behind `prefix`: empty, or from the next '/' on. Nothing: it is not under the prefix. The
// prefix "" is the root, under which everything is.
constexpr std::optional<std::string_view> behind_prefix(std::string_view prefix, std::string_view path) {
    if (!path.starts_with(prefix)) return std::nullopt;
    const auto rest = path.substr(prefix.size());
    if (!prefix.empty() && !rest.empty() && rest.front() != '/') return std::nullopt;
    return rest;
}

constexpr bool prefixes_overlap(std::string_view a, std::string_view b) {
    return behind_prefix(a, b) || behind_prefix(b, a);
}

} // namespace wm
