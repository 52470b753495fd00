#pragma once
// Reads the rate-limit headers of the families that providers share, for adapters that have no `observe` of their own.
#include "base/pair.h"
#include "base/rate_limit.h"

#include <span>
#include <string_view>

namespace wm::plugin {

// Nothing for another family. A value that cannot be read is left out. Names are compared without case.
//   openai      x-ratelimit-{limit,remaining,reset}-[SCOPE-]RESOURCE; resets are durations, `6m0.5s`
//   anthropic   anthropic-ratelimit-RESOURCE-{limit,remaining,reset}; resets are RFC 3339 times
RateLimits read_rate_limit_headers(std::string_view family, std::span<const PairView> headers, std::int64_t now_ms);

} // namespace wm::plugin
