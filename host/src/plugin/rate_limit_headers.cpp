#include "plugin/rate_limit_headers.h"

#include "base/text.h"

#include <Poco/DateTime.h>
#include <Poco/DateTimeFormat.h>
#include <Poco/DateTimeParser.h>

#include <algorithm>
#include <cmath>

namespace wm::plugin {

namespace {

// `name` without a prefix or a suffix; empty where it does not have it, or nothing else.
std::string_view behind(std::string_view name, std::string_view prefix) {
    const bool has = name.size() > prefix.size() && ibegins(name, prefix);
    return has ? name.substr(prefix.size()) : std::string_view();
}
std::string_view before(std::string_view name, std::string_view suffix) {
    const bool has = name.size() > suffix.size() && iequals(name.substr(name.size() - suffix.size()), suffix);
    return has ? name.substr(0, name.size() - suffix.size()) : std::string_view();
}

std::string canonical(std::string_view resource) {
    auto name = lowered(resource);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

// `1h2m3.5s`, `12ms`, or plain seconds.
std::optional<std::int64_t> milliseconds(std::string_view text) {
    double total = 0;
    if (text.empty()) return std::nullopt;
    for (bool first = true; !text.empty(); first = false) {
        if (text.front() < '0' || text.front() > '9') return std::nullopt; // from_chars knows more than digits
        double amount = 0;
        const auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), amount, std::chars_format::fixed);
        if (error != std::errc()) return std::nullopt;
        text.remove_prefix(std::size_t(end - text.data()));
        const auto unit = text.substr(0, std::min(text.find_first_of("0123456789."), text.size()));
        text.remove_prefix(unit.size());
        const double in_ms = unit == "ms"                                             ? 1
                             : unit == "s" || (unit.empty() && first && text.empty()) ? 1e3
                             : unit == "m"                                            ? 60e3
                             : unit == "h"                                            ? 3600e3
                             : unit == "d"                                            ? 86400e3
                                                                                      : 0;
        if (in_ms == 0) return std::nullopt;
        total += amount * in_ms;
    }
    constexpr double longest = 366 * 86400e3;
    return std::int64_t(std::ceil(std::min(total, longest)));
}

// RFC 3339 -> Unix milliseconds. Poco's parser takes almost anything, so the shape is looked at first.
std::optional<std::int64_t> instant(std::string_view text) {
    const auto has = [&](std::size_t at, char c) { return lower(text[at]) == c; };
    if (text.size() < 20 || !has(4, '-') || !has(7, '-') || !has(10, 't') || !has(13, ':') || !has(16, ':'))
        return std::nullopt;
    Poco::DateTime time;
    int offset = 0;
    if (!Poco::DateTimeParser::tryParse(Poco::DateTimeFormat::ISO8601_FRAC_FORMAT, std::string(text), time, offset))
        return std::nullopt;
    time.makeUTC(offset);
    return time.timestamp().epochMicroseconds() / 1000;
}

struct Said {
    std::string_view kind, resource; // kind empty: another header
};

Said said_by_openai(std::string_view name) {
    const auto rest = behind(name, "x-ratelimit-");
    for (const std::string_view kind : {"limit", "remaining", "reset"})
        if (const auto resource = behind(behind(rest, kind), "-"); !resource.empty()) return {kind, resource};
    return {};
}

Said said_by_anthropic(std::string_view name) {
    const auto rest = behind(name, "anthropic-ratelimit-");
    for (const std::string_view kind : {"limit", "remaining", "reset"})
        if (const auto resource = before(before(rest, kind), "-"); !resource.empty()) return {kind, resource};
    return {};
}

} // namespace

RateLimits read_rate_limit_headers(std::string_view family, std::span<const PairView> headers, std::int64_t now_ms) {
    RateLimits limits;
    const bool anthropic = family == "anthropic";
    if (!anthropic && family != "openai") return limits;
    const auto until_reset = [&](std::string_view value) -> std::optional<std::int64_t> {
        if (!anthropic) return milliseconds(value);
        const auto at = instant(value);
        return at ? std::optional(std::max<std::int64_t>(*at - now_ms, 0)) : std::nullopt;
    };
    for (const auto& header : headers) {
        const auto said = anthropic ? said_by_anthropic(header.name) : said_by_openai(header.name);
        if (said.kind.empty()) continue;
        const bool reset = said.kind == "reset";
        const auto value = trim(header.value);
        const auto number = reset ? until_reset(value) : parse_number<std::int64_t>(value);
        if (!number) continue;
        const auto of_project = behind(said.resource, "project-");
        auto* limit = of_project.empty() ? rate_limit(limits, canonical(said.resource), {})
                                         : rate_limit(limits, canonical(of_project), "project");
        if (limit) (reset ? limit->reset_ms : said.kind == "limit" ? limit->limit : limit->remaining) = number;
    }
    return limits;
}

} // namespace wm::plugin
