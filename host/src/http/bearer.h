#pragma once
#include "base/text.h"

namespace wm::http {

// The token of a field value in the scheme Bearer (RFC 6750 2.1), in any case; nothing: it is another's, or empty.
inline std::optional<std::string_view> bearer_of(std::string_view value) {
    constexpr std::string_view scheme = "bearer ";
    if (!ibegins(value, scheme)) return std::nullopt;
    const auto token = trim(value.substr(scheme.size()));
    return token.empty() ? std::nullopt : std::optional(token);
}

} // namespace wm::http
