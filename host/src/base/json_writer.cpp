#include "base/json_writer.h"

#include "base/utf8.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace wm {

namespace {

constexpr auto stands_for_itself = [] {
    std::array<bool, 256> table{};
    for (unsigned c = 0x20; c < 0x80; ++c) table[c] = c != '"' && c != '\\';
    return table;
}();

// Zero where all eight bytes stand for themselves.
std::uint64_t odd_bytes(const char* at) {
    constexpr std::uint64_t ones = 0x0101010101010101, high = ones << 7;
    std::uint64_t eight;
    std::memcpy(&eight, at, sizeof eight);
    const auto quote = eight ^ ones * '"', backslash = eight ^ ones * '\\';
    return ((eight - ones * 0x20) | (quote - ones) | (backslash - ones) | eight) & high;
}

// Bytes at the start of `s` that stand for themselves: nearly all of what is written here.
std::size_t plain_length(std::string_view s) {
    std::size_t n = 0;
    while (s.size() - n >= 8 && odd_bytes(s.data() + n) == 0) n += 8;
    while (n < s.size() && stands_for_itself[static_cast<unsigned char>(s[n])]) ++n;
    return n;
}

} // namespace

void append_json_string(std::string& out, std::string_view text) {
    char quoted[64];
    if (text.size() + 2 <= sizeof quoted && plain_length(text) == text.size()) { // as names, ids and words are
        quoted[0] = '"';
        text.copy(quoted + 1, text.size());
        quoted[text.size() + 1] = '"';
        out.append(quoted, text.size() + 2);
        return;
    }
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
        } else if ((used = utf8_sequence(text)) > 0) {
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
