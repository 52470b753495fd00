#pragma once
// What is lost with a parameter that a protocol has no member for.
#include "../words.h"

#include <array>
#include <string_view>

namespace wm::sdk {

struct LostParam {
    std::string_view word, key;
    std::string_view harmless; // the value that asks for nothing, if there is one
};

inline constexpr std::array<LostParam, 20> lost_params{{
    {WM_PARAM_N, WM_LOSS_CHOICES, "1"},
    {WM_PARAM_LOGPROBS, WM_LOSS_LOGPROBS, "false"},
    {WM_PARAM_TOP_LOGPROBS, WM_LOSS_LOGPROBS, "0"},
    {WM_PARAM_MODALITIES, WM_LOSS_MODALITIES, "[\"text\"]"},
    {WM_PARAM_BACKGROUND, WM_LOSS_CONTINUATION, "false"},
    {WM_PARAM_TOP_K, WM_LOSS_SAMPLING, ""},
    {WM_PARAM_SEED, WM_LOSS_SAMPLING, ""},
    {WM_PARAM_FREQUENCY_PENALTY, WM_LOSS_SAMPLING, "0"},
    {WM_PARAM_PRESENCE_PENALTY, WM_LOSS_SAMPLING, "0"},
    {WM_PARAM_LOGIT_BIAS, WM_LOSS_SAMPLING, "{}"},
    {WM_PARAM_STORE, WM_LOSS_CHAT_CONTROLS, "false"},
    {WM_PARAM_VERBOSITY, WM_LOSS_CHAT_CONTROLS, ""},
    {WM_PARAM_PREDICTION, WM_LOSS_CHAT_CONTROLS, ""},
    {WM_PARAM_SERVICE_TIER, WM_LOSS_CHAT_CONTROLS, "\"auto\""},
    {WM_PARAM_USER, WM_LOSS_METADATA, ""},
    {WM_PARAM_CACHE_KEY, WM_LOSS_CACHE_MARKERS, ""},
    {WM_PARAM_TRUNCATION, WM_LOSS_RESPONSES_CONTROLS, "\"disabled\""},
    {WM_PARAM_MAX_TOOL_CALLS, WM_LOSS_RESPONSES_CONTROLS, ""},
    {WM_PARAM_INCLUDE, WM_LOSS_RESPONSES_CONTROLS, "[]"},
    {WM_PARAM_BETAS, WM_LOSS_ANTHROPIC_CONTROLS, "[]"},
}};

// Nothing in `harmless` where the word is not known: it is lost whatever it says.
constexpr LostParam lost_param(std::string_view word) {
    for (const LostParam& one : lost_params)
        if (one.word == word) return one;
    return {word, WM_LOSS_RESPONSES_CONTROLS, {}};
}

} // namespace wm::sdk
