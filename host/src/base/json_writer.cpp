#include "base/json_writer.h"

#include "base/utf8.h"

#include <array>
#include <cstdio>

namespace wm {

namespace {

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
