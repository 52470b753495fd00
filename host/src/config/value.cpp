#include "config/value.h"

#include "base/text.h"
#include "config/suggest.h"

#include <algorithm>
#include <array>
#include <optional>

namespace wm::config {
namespace {

struct Unit {
    std::string_view name;
    std::uint64_t factor;
};

constexpr std::array<Unit, 4> time_units{{{"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};
constexpr std::array<Unit, 4> size_units{{{"GiB", 1u << 30}, {"MiB", 1u << 20}, {"KiB", 1u << 10}, {"B", 1}}};
constexpr std::uint64_t year_ms = 8760ull * 3'600'000;

std::string_view digits_of(std::string_view text) {
    return text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
}

// Digits and one unit, no space; null: not so, or over 2^63.
std::optional<std::uint64_t> with_unit(std::string_view text, std::span<const Unit> units) {
    const auto digits = digits_of(text);
    const auto n = parse_number<std::uint64_t>(digits);
    for (const auto& unit : units)
        if (n && text.substr(digits.size()) == unit.name && *n <= (1ull << 63) / unit.factor) return *n * unit.factor;
    return std::nullopt;
}

std::string in_largest(std::uint64_t n, std::span<const Unit> units) {
    for (const auto& unit : units)
        if (n % unit.factor == 0 && (n > 0 || unit.factor == 1))
            return std::to_string(n / unit.factor).append(unit.name);
    return std::to_string(n);
}

bool all_digits(std::string_view text) { return !text.empty() && digits_of(text).size() == text.size(); }

} // namespace

Value<bool> parse_bool(std::string_view text) {
    if (text == "yes" || text == "true" || text == "on") return true;
    if (text == "no" || text == "false" || text == "off") return false;
    return Failure{Complaint{"not yes or no", "yes or no (or true, false, on, off)"}};
}

Value<std::uint64_t> parse_integer(std::string_view text, std::uint64_t min, std::uint64_t max) {
    const auto n = parse_number<std::uint64_t>(text);
    if (n && *n >= min && *n <= max) return *n;
    const bool whole = all_digits(text.substr(text.starts_with('-') ? 1 : 0));
    return Failure{Complaint{whole ? "out of range" : "not a whole number",
                             "a whole number from " + std::to_string(min) + " to " + std::to_string(max)}};
}

Value<Millis> parse_duration(std::string_view text, Millis min) {
    if (all_digits(text))
        return Failure{Complaint{"a duration without a unit", "a unit after the number, as in 200ms, 30s, 5m or 1h"}};
    const auto n = with_unit(text, time_units);
    if (!n) return Failure{Complaint{"not a duration", "a whole number and a unit, as in 200ms, 30s, 5m or 1h"}};
    if (*n < std::uint64_t(min.count()) || *n > year_ms)
        return Failure{Complaint{"out of range", "a duration from " + to_text(min) + " to 8760h"}};
    return Millis(std::int64_t(*n));
}

Value<std::uint64_t> parse_size(std::string_view text, std::uint64_t min, std::uint64_t max) {
    if (all_digits(text))
        return Failure{Complaint{"a size without a unit", "a unit after the number, as in 512B, 64KiB or 32MiB"}};
    const auto n = with_unit(text, size_units);
    if (!n) return Failure{Complaint{"not a size", "a whole number and a unit, as in 512B, 64KiB or 32MiB"}};
    if (*n < min || *n > max)
        return Failure{Complaint{"out of range", "a size from " + size_text(min) + " to " + size_text(max)}};
    return *n;
}

Value<std::string> parse_choice(std::string_view text, std::span<const std::string_view> words) {
    if (std::find(words.begin(), words.end(), text) != words.end()) return std::string(text);
    return Failure{Complaint{"not one of the words it may be" + did_you_mean(text, words), joined(words)}};
}

Value<std::string> parse_script_name(std::string_view text) {
    std::string name(text);
    const bool fine = !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
    if (!fine) return Failure{Complaint{"not the name of a policy", "a-z, 0-9, - and _, without a folder or .lua"}};
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

std::string to_text(Millis duration) { return in_largest(std::uint64_t(duration.count()), time_units); }
std::string size_text(std::uint64_t size) { return in_largest(size, size_units); }

} // namespace wm::config
