#pragma once
#include "base/pair.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wm::http {

struct RequestLine {
    std::string_view method, target, authority;  // authority: for Host
    std::optional<std::uint64_t> content_length; // nothing: no body, no field
    bool chunked = false;                        // the body comes in chunks; then no content_length
};

// Appends a request head. `fields` must not hold Host, Content-Length or Transfer-Encoding: those are written here.
// False, with `out` as it was, if anything could change the framing: a forbidden field, a name or method that is no
// token, a control character in a value, a target with spaces or controls.
[[nodiscard]] bool append_request(std::string& out, const RequestLine& line, std::span<const PairView> fields);

} // namespace wm::http
