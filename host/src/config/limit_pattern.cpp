#include "config/limit_pattern.h"

#include "base/text.h"

#include <algorithm>

namespace wm::config {
namespace {

constexpr std::string_view shape = "METHOD /path, then :N or :unlimited, then @group, as in POST /messages:2@chat";

Failure<Complaint> bad(std::string problem, std::string expected = std::string(shape)) {
    return Failure{Complaint{std::move(problem), std::move(expected)}};
}

bool is_word(std::string_view text) {
    const auto fits = [](char c) {
        return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    };
    return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

bool is_number(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

Value<LimitPattern> parse_limit(std::string_view text) {
    LimitPattern pattern;
    const auto space = text.find_first_of(" \t");
    if (space == text.npos || !is_word(text.substr(0, space))) return bad("not a limit");
    pattern.method = text.substr(0, space);
    auto path = trim(text.substr(space));
    if (!path.starts_with('/') || path.find_first_of(" \t?#") != path.npos) return bad("not a limit");

    if (const auto at = path.rfind('@'); at != path.npos) {
        pattern.group = path.substr(at + 1);
        if (!is_word(pattern.group)) return bad("not a group", "@ and a name of letters, digits and -_. at the end");
        path = path.substr(0, at);
    }
    if (const auto colon = path.rfind(':'); colon != path.npos) {
        const auto last = path.substr(colon + 1);
        if (last == "unlimited") {
            if (!pattern.group.empty()) return bad("unlimited in a group", ":unlimited without a group");
            pattern.unlimited = true;
        } else if (is_number(last)) {
            pattern.size = parse_number<unsigned>(last);
            if (!pattern.size || *pattern.size == 0 || *pattern.size > 1'000'000)
                return bad("out of range", "from :1 to :1000000, or :unlimited");
        }
        if (pattern.unlimited || pattern.size) path = path.substr(0, colon);
    }
    pattern.route = pattern.method + " " + std::string(path);
    while (!path.empty()) {
        path.remove_prefix(1);
        const auto segment = path.substr(0, path.find_first_of("/:"));
        if (!segment.empty()) pattern.segments.push_back(lowered(segment));
        path.remove_prefix(segment.size());
    }
    if (pattern.segments.empty()) return bad("a limit without a path");
    return pattern;
}

} // namespace wm::config
