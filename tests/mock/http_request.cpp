#include "http_request.h"

#include <strings.h>

#include <charconv>

namespace wm::mock {
namespace {

constexpr std::size_t max_body = std::size_t{128} << 20;

bool same(std::string_view a, std::string_view b) {
    return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    return text;
}

bool number(std::string_view text, std::size_t& value, int base) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return error == std::errc{} && end == text.data() + text.size() && value <= max_body;
}

struct Framing {
    std::size_t length = 0;
    bool chunked = false;
    bool ok = true;
};

Framing read_fields(std::string_view fields, HttpRequest& request) {
    Framing framing;
    while (!fields.empty()) {
        const std::size_t end = fields.find("\r\n");
        const std::string_view line = fields.substr(0, end);
        fields.remove_prefix(end == std::string_view::npos ? fields.size() : end + 2);
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) {
            framing.ok = false;
            return framing;
        }
        const std::string_view name = line.substr(0, colon);
        const std::string_view value = trimmed(line.substr(colon + 1));
        if (same(name, "content-length")) {
            framing.ok = framing.ok && number(value, framing.length, 10);
        } else if (same(name, "transfer-encoding")) {
            framing.chunked = same(value, "chunked");
            framing.ok = framing.ok && framing.chunked;
        } else if (same(name, "connection")) {
            request.close = same(value, "close");
        }
    }
    return framing;
}

Parsed parse_chunks(std::string_view input, std::string& body, std::size_t& used) {
    std::size_t at = 0;
    for (;;) {
        const std::size_t line_end = input.find("\r\n", at);
        if (line_end == std::string_view::npos) {
            return Parsed::incomplete;
        }
        const std::string_view line = input.substr(at, line_end - at);
        std::size_t size = 0;
        if (!number(line.substr(0, line.find(';')), size, 16) || body.size() + size > max_body) {
            return Parsed::broken;
        }
        at = line_end + 2;
        if (input.size() < at + size + 2) {
            return Parsed::incomplete;
        }
        body.append(input.substr(at, size));
        at += size + 2;
        if (size == 0) {
            used += at;
            return Parsed::complete;
        }
    }
}

} // namespace

Parsed parse_request(std::string_view input, HttpRequest& request, std::size_t& used) {
    const std::size_t head_end = input.find("\r\n\r\n");
    if (head_end == std::string_view::npos) {
        return input.size() > 65536 ? Parsed::broken : Parsed::incomplete;
    }
    const std::string_view head = input.substr(0, head_end);
    const std::size_t line_end = head.find("\r\n");
    const std::string_view line = head.substr(0, line_end);
    const std::size_t first = line.find(' ');
    const std::size_t second = line.find(' ', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) {
        return Parsed::broken;
    }
    request = HttpRequest{};
    request.method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, second - first - 1);
    request.path = target.substr(0, target.find('?'));
    request.close = line.substr(second + 1) != "HTTP/1.1";
    const Framing framing =
        read_fields(line_end == std::string_view::npos ? std::string_view{} : head.substr(line_end + 2), request);
    if (!framing.ok) {
        return Parsed::broken;
    }
    used = head_end + 4;
    if (framing.chunked) {
        return parse_chunks(input.substr(used), request.body, used);
    }
    if (input.size() - used < framing.length) {
        return Parsed::incomplete;
    }
    request.body = input.substr(used, framing.length);
    used += framing.length;
    return Parsed::complete;
}

} // namespace wm::mock
