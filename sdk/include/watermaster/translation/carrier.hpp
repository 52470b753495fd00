#pragma once
// Reasoning of another protocol in a member meant for a signature: `wm1.<format>.<base64url>`, `wm1.none.` where there
// is nothing to carry; `+opaque` behind the format where it is encrypted reasoning and no signature. It travels in the
// client's history and is taken out before any upstream sees it.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wm::sdk {

inline constexpr std::string_view carrier_mark = "wm1.", carrier_none = "none", carrier_opaque = "+opaque";

namespace detail {

inline constexpr std::string_view base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

} // namespace detail

struct Carried {
    std::string format, value; // format empty: unsigned
    bool opaque = false;
};

// `format` empty: unsigned.
inline std::string carry(std::string_view format, std::string_view value, bool opaque = false) {
    std::string out(carrier_mark);
    out.append(format.empty() ? carrier_none : format).append(opaque ? carrier_opaque : "").append(".");
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char c : value) {
        bits = bits << 8 | static_cast<unsigned char>(c);
        for (count += 8; count >= 6; count -= 6) out.push_back(detail::base64url[bits >> (count - 6) & 63]);
    }
    if (count) out.push_back(detail::base64url[bits << (6 - count) & 63]);
    return out;
}

// What begins like one was made by a gateway, whatever stands behind that: no provider has signed it.
inline bool is_carrier(std::string_view text) { return text.starts_with(carrier_mark); }

// Looks for the byte of the mark that is rarest in prose; most bodies have none, and should cost nothing.
inline bool holds_carrier(std::string_view text) {
    constexpr std::size_t rarest = carrier_mark.find('1');
    for (auto at = text.find(carrier_mark[rarest], rarest); at != text.npos;
         at = text.find(carrier_mark[rarest], at + 1))
        if (text.substr(at - rarest).starts_with(carrier_mark)) return true;
    return false;
}

// Nothing: it is no carrier. A broken one carries nothing.
inline std::optional<Carried> uncarry(std::string_view text) {
    if (!is_carrier(text)) return std::nullopt;
    text.remove_prefix(carrier_mark.size());
    const std::size_t dot = text.find('.');
    if (dot == text.npos) return Carried{};
    std::string_view format = text.substr(0, dot);
    const bool opaque = format.ends_with(carrier_opaque);
    if (opaque) format.remove_suffix(carrier_opaque.size());
    Carried out{std::string(format), {}, opaque};
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char c : text.substr(dot + 1)) {
        const std::size_t six = detail::base64url.find(c);
        if (six == detail::base64url.npos) return Carried{};
        bits = bits << 6 | static_cast<std::uint32_t>(six);
        if ((count += 6) >= 8) {
            count -= 8;
            out.value.push_back(static_cast<char>(bits >> count & 0xFF));
        }
    }
    if (out.format == carrier_none) out = {};
    return out;
}

} // namespace wm::sdk
