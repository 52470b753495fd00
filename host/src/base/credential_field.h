#pragma once
// Header fields that carry a credential, in requests or answers.
#include "base/text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace wm {

inline bool is_credential_field(std::string_view name) {
    constexpr std::array<std::string_view, 8> names{"authorization", "proxy-authorization", "x-api-key",
                                                    "api-key",       "x-goog-api-key",      "cookie",
                                                    "set-cookie",    "x-watermaster-key"};
    return std::any_of(names.begin(), names.end(), [&](auto n) { return iequals(n, name); });
}

} // namespace wm
