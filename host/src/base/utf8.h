#pragma once
#include <cstddef>
#include <string_view>

namespace wm {

// Length of the valid UTF-8 sequence at the start of `s`, or 0.
constexpr std::size_t utf8_sequence(std::string_view s) {
    const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
    if (s.empty()) return 0;
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

constexpr bool is_utf8(std::string_view s) {
    while (!s.empty()) {
        const auto length = utf8_sequence(s);
        if (length == 0) return false;
        s.remove_prefix(length);
    }
    return true;
}

} // namespace wm
