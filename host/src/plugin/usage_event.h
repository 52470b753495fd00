#pragma once
// USAGE events as counts.
#include "base/text.h"
#include "plugin/calls.h"
#include "plugin/views.h"

namespace wm::plugin {

inline void take_usage(const wm_event& event, Usage& usage) {
    const auto count = parse_number<std::uint64_t>(to_view(event.value));
    if (!count) return; // unknown, never zero
    const auto name = to_view(event.name);
    if (name == WM_USAGE_INPUT)
        usage.input = count;
    else if (name == WM_USAGE_OUTPUT)
        usage.output = count;
    else if (name == WM_USAGE_INPUT_CACHED)
        usage.input_cached = count;
    else if (name == WM_USAGE_INPUT_CACHE_WRITE)
        usage.input_cache_write = count;
    else if (name == WM_USAGE_OUTPUT_REASONING)
        usage.output_reasoning = count;
}

} // namespace wm::plugin
