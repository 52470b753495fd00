#include "http/chunks.h"

#include "base/text.h"

#include <array>

namespace wm::http {

namespace {

// What frames, routes, authenticates or interprets a message has to be known before its body.
bool too_late(std::string_view name) {
    constexpr std::array<std::string_view, 27> names{"Connection",
                                                     "Keep-Alive",
                                                     "Proxy-Connection",
                                                     "Transfer-Encoding",
                                                     "Content-Length",
                                                     "Upgrade",
                                                     "TE",
                                                     "Trailer",
                                                     "Host",
                                                     "Expect",
                                                     "Max-Forwards",
                                                     "Cache-Control",
                                                     "Pragma",
                                                     "Range",
                                                     "Content-Encoding",
                                                     "Content-Type",
                                                     "Content-Range",
                                                     "Authorization",
                                                     "Proxy-Authorization",
                                                     "Proxy-Authenticate",
                                                     "WWW-Authenticate",
                                                     "Cookie",
                                                     "Set-Cookie",
                                                     "Forwarded",
                                                     "X-Forwarded-For",
                                                     "X-Forwarded-Host",
                                                     "X-Forwarded-Proto"};
    for (const auto one : names)
        if (iequals(one, name)) return true;
    return name.size() > 3 && ibegins(name, "If-");
}

} // namespace

void append_chunk(std::string& out, std::string_view bytes) {
    if (bytes.empty()) return;
    char digits[16];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, bytes.size(), 16).ptr);
    out.append("\r\n").append(bytes).append("\r\n");
}

void append_last_chunk(std::string& out, std::span<const PairView> trailers) {
    out.append("0\r\n");
    for (const auto& [name, value] : trailers) out.append(name).append(": ").append(value).append("\r\n");
    out.append("\r\n");
}

std::vector<PairView> trailer_fields(std::string_view section) {
    std::vector<PairView> fields;
    while (!section.empty()) {
        const auto line = section.substr(0, section.find("\r\n"));
        section.remove_prefix(std::min(line.size() + 2, section.size()));
        const auto colon = line.find(':');
        if (colon == line.npos || too_late(line.substr(0, colon))) continue;
        fields.push_back({line.substr(0, colon), trim(line.substr(colon + 1))});
    }
    return fields;
}

} // namespace wm::http
