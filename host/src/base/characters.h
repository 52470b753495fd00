#pragma once
// Which bytes may stand where in HTTP and URLs (RFC 9110 5.6.2 and 5.5, RFC 3986).
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace wm {

enum : unsigned char { token_char = 1, target_char = 2, digit_char = 4, hex_char = 8, unreserved_char = 16 };

inline constexpr auto char_classes = [] {
    std::array<unsigned char, 256> table{};
    const auto mark = [&](std::string_view chars, unsigned char as) {
        for (const char c : chars) table[static_cast<unsigned char>(c)] |= as;
    };
    constexpr std::string_view alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    mark(alnum, token_char | target_char | unreserved_char);
    mark("!#$%&'*+-.^_`|~", token_char);
    mark("-._~:/?[]@!$&'()*+,;=%", target_char);
    mark("-._~", unreserved_char);
    mark("0123456789", digit_char | hex_char);
    mark("abcdefABCDEF", hex_char);
    return table;
}();

constexpr bool is(char c, unsigned char what) { return char_classes[static_cast<unsigned char>(c)] & what; }

constexpr bool all(std::string_view text, unsigned char what) {
    for (const char c : text)
        if (!is(c, what)) return false;
    return true;
}

constexpr bool is_token(std::string_view text) {
    return !text.empty() && all(text, token_char);
} // a field name or method

constexpr bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; }

// Values are most of a head, so eight bytes are judged at once; a suspicious eight (a tab, too) are looked at singly.
inline bool has_control(std::string_view text) {
    constexpr std::uint64_t ones = 0x0101010101010101u, highs = ones * 0x80;
    const char* at = text.data();
    const char* const end = at + text.size();
    for (; end - at >= 8; at += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, at, 8);
        const auto below_space = (eight - ones * 0x20) & ~eight & highs;
        const auto no_delete = eight ^ (ones * 0x7f);
        const auto is_delete = (no_delete - ones) & ~no_delete & highs;
        if (below_space | is_delete)
            for (int i = 0; i < 8; ++i)
                if (is_control(at[i])) return true;
    }
    for (; at < end; ++at)
        if (is_control(*at)) return true;
    return false;
}

inline bool is_field_value(std::string_view text) { return !has_control(text); }

constexpr int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

} // namespace wm
