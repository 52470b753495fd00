#pragma once
// Token counts as upstreams write them, put as USAGE.
#include "../json_scan.hpp"
#include "../sink.hpp"

#include <string_view>

namespace wm::sdk {

inline void put_usage(Sink& out, std::string_view word, const json::Value& value) {
    if (value.count()) out.put(WM_EV_USAGE, word, value.raw);
}

// The OpenAI family: {"prompt_tokens", "completion_tokens", "..._details"} or {"input_tokens", "output_tokens", ...}.
// Both include what was cached and what was reasoned, as USAGE does.
inline void put_openai_usage(Sink& out, json::Scan& scan) {
    if (scan.kind() != json::Kind::object) return;
    scan.members([&](const json::Name& name) {
        if (name.is("prompt_tokens") || name.is("input_tokens")) {
            put_usage(out, WM_USAGE_INPUT, scan.value());
        } else if (name.is("completion_tokens") || name.is("output_tokens")) {
            put_usage(out, WM_USAGE_OUTPUT, scan.value());
        } else if (name.is("prompt_cache_hit_tokens")) { // an extension that several providers share
            put_usage(out, WM_USAGE_INPUT_CACHED, scan.value());
        } else if (name.is("prompt_tokens_details") || name.is("input_tokens_details")) {
            if (scan.kind() != json::Kind::object) return;
            scan.members([&](const json::Name& part) {
                if (part.is("cached_tokens"))
                    put_usage(out, WM_USAGE_INPUT_CACHED, scan.value());
                else if (part.is("cache_write_tokens"))
                    put_usage(out, WM_USAGE_INPUT_CACHE_WRITE, scan.value());
                else if (part.is("audio_tokens"))
                    put_usage(out, WM_USAGE_INPUT_AUDIO, scan.value());
            });
        } else if (name.is("completion_tokens_details") || name.is("output_tokens_details")) {
            if (scan.kind() != json::Kind::object) return;
            scan.members([&](const json::Name& part) {
                if (part.is("reasoning_tokens"))
                    put_usage(out, WM_USAGE_OUTPUT_REASONING, scan.value());
                else if (part.is("audio_tokens"))
                    put_usage(out, WM_USAGE_OUTPUT_AUDIO, scan.value());
                else if (part.is("accepted_prediction_tokens"))
                    put_usage(out, WM_USAGE_PREDICTION_ACCEPTED, scan.value());
                else if (part.is("rejected_prediction_tokens"))
                    put_usage(out, WM_USAGE_PREDICTION_REJECTED, scan.value());
            });
        }
    });
}

} // namespace wm::sdk
