#pragma once
#include <string_view>

namespace wm {

// What stands in place of a mount's or a backend's name where there is none: neither may be called so.
inline constexpr std::string_view no_provider = "gateway";

} // namespace wm
