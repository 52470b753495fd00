#pragma once
// Small pure text helpers. ASCII only: header names, keys and numbers, never prose.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace wm {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; }

inline bool iequals(std::string_view a, std::string_view b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

inline bool ibegins(std::string_view text, std::string_view with) {
    return text.size() >= with.size() && iequals(text.substr(0, with.size()), with);
}

inline std::string lowered(std::string_view s) {
    std::string out(s);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

constexpr char hex_digit(unsigned value) { return "0123456789abcdef"[value]; } // below 16; lower case

inline void append_hex(std::string& out, unsigned char byte) {
    out += hex_digit(byte >> 4);
    out += hex_digit(byte & 15);
}

constexpr std::string_view trim(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
    return s;
}

// Decimal digits only: no sign, no space, no overflow.
template <class Number>
std::optional<Number> parse_number(std::string_view s, int base = 10) {
    Number n{};
    if (s.empty() || s.front() == '-' || s.front() == '+') return std::nullopt;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n, base);
    if (error != std::errc() || end != s.data() + s.size()) return std::nullopt;
    return n;
}

// Calls f with each element of a comma-separated list, trimmed; empty elements are skipped.
template <class F>
void for_each_element(std::string_view list, F&& f) {
    while (!list.empty()) {
        const auto comma = list.find(',');
        const auto element = trim(list.substr(0, comma));
        if (!element.empty()) f(element);
        list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
    }
}

} // namespace wm
