#pragma once
#include "base/clock.h"
#include "http/head.h"

#include <optional>
#include <string_view>

namespace wm::http {

// What an answer's Retry-After asks for, as seconds or as a date, counted from when its head came at `now_ms`. None: it
// asks for nothing, or not in a way that can be read.
std::optional<Millis> retry_after(const ResponseHead& head, std::int64_t now_ms);

} // namespace wm::http
