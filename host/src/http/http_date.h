#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace wm::http {

// For a Date field. [any thread] The view is valid until the same thread asks again.
std::string_view http_date(std::int64_t wall_ms);

// Unix milliseconds of a date in any of the three forms that HTTP knows.
std::optional<std::int64_t> parse_http_date(std::string_view text);

} // namespace wm::http
