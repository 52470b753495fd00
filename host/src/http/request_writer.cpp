#include "http/request_writer.h"

#include "base/characters.h"
#include "base/text.h"
#include "http/head.h"
#include "http/url.h"

#include <array>

namespace wm::http {

namespace {

bool writable(PairView field) {
    constexpr std::array<std::string_view, 3> ours{"Host", "Content-Length", "Transfer-Encoding"};
    for (const auto name : ours)
        if (iequals(field.name, name)) return false;
    return is_token(field.name) && is_field_value(field.value);
}

} // namespace

bool append_request(std::string& out, const RequestLine& line, std::span<const PairView> fields) {
    if (!is_token(line.method) || line.target.empty() || !all(line.target, target_char) || !valid_host(line.authority))
        return false;
    for (const auto& field : fields)
        if (!writable(field)) return false;
    out.append(line.method).append(" ").append(line.target).append(" HTTP/1.1\r\nHost: ").append(line.authority);
    for (const auto& [name, value] : fields) out.append("\r\n").append(name).append(": ").append(value);
    if (line.content_length) out.append("\r\nContent-Length: ").append(std::to_string(*line.content_length));
    if (line.chunked) out.append("\r\nTransfer-Encoding: chunked");
    out.append("\r\n\r\n");
    return true;
}

} // namespace wm::http
