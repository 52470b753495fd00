#pragma once
#include <cstdint>
#include <string_view>

namespace wm::http {

// For a Date field. [any thread] The view is valid until the same thread asks again.
std::string_view http_date(std::int64_t wall_ms);

} // namespace wm::http
