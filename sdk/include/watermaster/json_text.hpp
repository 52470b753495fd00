#pragma once
// Bodies of JSON strings: decoding, and comparing names as every lenient parser would.
#include <cstddef>
#include <string>
#include <string_view>

namespace wm::sdk::json {

inline constexpr char32_t replacement = 0xFFFD;

namespace detail {

inline int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// Four hex digits at `p`, or -1.
inline int hex4(const char* p, const char* end) {
    if (end - p < 4) return -1;
    int value = 0;
    for (int i = 0; i < 4; ++i) {
        const int digit = hex_digit(p[i]);
        if (digit < 0) return -1;
        value = value * 16 + digit;
    }
    return value;
}

inline char32_t utf8_point(const char*& p, const char* end) {
    const auto byte = [](char c) { return static_cast<unsigned char>(c); };
    const unsigned char first = byte(*p++);
    if (first < 0x80) return first;
    const int more = first >= 0xC2 && first < 0xE0   ? 1
                     : first >= 0xE0 && first < 0xF0 ? 2
                     : first >= 0xF0 && first < 0xF5 ? 3
                                                     : 0;
    if (!more) return replacement;
    char32_t point = first & (0x3F >> more);
    for (int i = 0; i < more; ++i) {
        if (p == end || (byte(*p) & 0xC0) != 0x80) return replacement;
        point = point << 6 | (byte(*p++) & 0x3F);
    }
    constexpr char32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (point < least[more] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return replacement;
    return point;
}

// The next code point of an escaped body. Surrogate pairs are joined; what is no code point becomes U+FFFD.
inline char32_t next_point(const char*& p, const char* end) {
    if (*p != '\\') return utf8_point(p, end);
    ++p;
    if (p == end) return replacement;
    switch (const char c = *p++; c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'u': break;
    default: return static_cast<unsigned char>(c);
    }
    const int high = hex4(p, end);
    if (high < 0) return replacement;
    p += 4;
    if (high < 0xD800 || high > 0xDFFF) return static_cast<char32_t>(high);
    if (high > 0xDBFF || end - p < 6 || p[0] != '\\' || p[1] != 'u') return replacement;
    const int low = hex4(p + 2, end);
    if (low < 0xDC00 || low > 0xDFFF) return replacement;
    p += 6;
    return 0x10000 + ((static_cast<char32_t>(high) - 0xD800) << 10) + (static_cast<char32_t>(low) - 0xDC00);
}

inline void append_utf8(std::string& out, char32_t point) {
    const auto add = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (point < 0x80) {
        add(point);
    } else if (point < 0x800) {
        add(0xC0 | point >> 6);
        add(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        add(0xE0 | point >> 12);
        add(0x80 | (point >> 6 & 0x3F));
        add(0x80 | (point & 0x3F));
    } else {
        add(0xF0 | point >> 18);
        add(0x80 | (point >> 12 & 0x3F));
        add(0x80 | (point >> 6 & 0x3F));
        add(0x80 | (point & 0x3F));
    }
}

// Simple case folding as far as it reaches ASCII: U+017F is an s, U+212A a k.
inline char32_t folded(char32_t point) {
    if (point >= 'A' && point <= 'Z') return point + 32;
    if (point == 0x17F) return 's';
    if (point == 0x212A) return 'k';
    return point;
}

} // namespace detail

// Appends the text of an escaped body (what stands between the quotes), always valid UTF-8.
inline void append_text(std::string& out, std::string_view body) {
    const char* p = body.data();
    const char* const end = p + body.size();
    while (p != end) {
        const char* plain = p;
        while (plain != end && *plain != '\\' && static_cast<unsigned char>(*plain) < 0x80) ++plain;
        out.append(p, plain);
        p = plain;
        if (p != end) detail::append_utf8(out, detail::next_point(p, end));
    }
}

inline std::string text(std::string_view body) {
    std::string out;
    out.reserve(body.size());
    append_text(out, body);
    return out;
}

// Does the escaped body say exactly `plain` (ASCII)?
inline bool body_is(std::string_view body, std::string_view plain) {
    const char* p = body.data();
    const char* const end = p + body.size();
    for (const char c : plain)
        if (p == end || detail::next_point(p, end) != static_cast<unsigned char>(c)) return false;
    return p == end;
}

// Would a parser that ignores case take the escaped body for `lower` (lower-case ASCII)?
inline bool body_folds_to(std::string_view body, std::string_view lower) {
    const char* p = body.data();
    const char* const end = p + body.size();
    for (const char c : lower)
        if (p == end || detail::folded(detail::next_point(p, end)) != static_cast<unsigned char>(c)) return false;
    return p == end;
}

} // namespace wm::sdk::json
