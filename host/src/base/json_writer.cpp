#include "base/json_writer.h"

#include <array>
#include <cstdio>

namespace wm {

namespace {

// Length of the valid UTF-8 sequence at the start of `s`, or 0.
std::size_t sequence_length(std::string_view s) {
    const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead >= 0xc2 && lead < 0xe0) return follows(1) ? 2 : 0;
    if (lead >= 0xe0 && lead < 0xf0) {
        const bool overlong = lead == 0xe0 && byte(1) < 0xa0, surrogate = lead == 0xed && byte(1) >= 0xa0;
        return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (lead >= 0xf0 && lead < 0xf5) {
        const bool overlong = lead == 0xf0 && byte(1) < 0x90, beyond = lead == 0xf4 && byte(1) >= 0x90;
        return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

constexpr auto stands_for_itself = [] {
    std::array<bool, 256> table{};
    for (unsigned c = 0x20; c < 0x80; ++c) table[c] = c != '"' && c != '\\';
    return table;
}();

// Bytes at the start of `s` that stand for themselves: nearly all of what is written here.
std::size_t plain_length(std::string_view s) {
    std::size_t n = 0;
    while (n < s.size() && stands_for_itself[static_cast<unsigned char>(s[n])]) ++n;
    return n;
}

} // namespace

void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const auto plain = plain_length(text);
        out.append(text.substr(0, plain));
        text.remove_prefix(plain);
        if (text.empty()) break;
        const char c = text.front();
        std::size_t used = 1;
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", unsigned(static_cast<unsigned char>(c)));
            out += escaped;
        } else if ((used = sequence_length(text)) > 0) {
            out.append(text.substr(0, used));
        } else {
            used = 1;
            out += "\xef\xbf\xbd";
        }
        text.remove_prefix(used);
    }
    out += '"';
}

} // namespace wm
