#pragma once
// The registry of loss keys: what each says is lost, and whether a request to a served model may lose it. A key that is
// not here is a plugin's own and is approved on served models. What would change the answer is approved by no default.
#include "../words.h"

#include <array>
#include <string_view>

namespace wm::sdk {

struct LossKey {
    std::string_view key;
    bool approved; // on served models
    std::string_view help;
};

inline constexpr std::array<LossKey, 33> loss_keys{{
    {WM_LOSS_CHOICES, false, "more than one answer was asked for"},
    {WM_LOSS_LOGPROBS, false, "log probabilities"},
    {WM_LOSS_OUTPUT_FORMAT, false, "the format the answer must have"},
    {WM_LOSS_MODALITIES, false, "an answer in another form than text"},
    {WM_LOSS_CONTINUATION, false, "a conversation the provider keeps"},
    {WM_LOSS_TOOL_CHOICE, false, "which of the tools may be called"},
    {WM_LOSS_CUSTOM_TOOLS, false, "tools whose input is free text"},
    {WM_LOSS_STOP_SEQUENCES, false, "what ends the answer"},
    {WM_LOSS_SAMPLING, true, "a sampling parameter, or its range"},
    {WM_LOSS_CITATIONS, true, "citations, as marks on the text"},
    {WM_LOSS_CACHE_MARKERS, true, "prompt cache breakpoints"},
    {WM_LOSS_MEDIA, true, "an image, document or sound"},
    {WM_LOSS_METADATA, true, "metadata of the request"},
    {WM_LOSS_EXTENSION_MEMBERS, true, "members the reader of the protocol does not know"},
    {WM_LOSS_UNKNOWN_EVENT, true, "what another plugin says in words that are not known yet"},
    {WM_LOSS_USAGE_UNKNOWN, true, "token counts the provider did not give, written as 0"},
    {WM_LOSS_AUTHENTICATED_THINKING, true, "reasoning that only its own provider can verify"},
    {WM_LOSS_REQUEST_REASONING, true, "how much the model should reason"},
    {WM_LOSS_REASONING_SUMMARY, true, "how reasoning should be summarised"},
    {WM_LOSS_PROVIDER_REASONING_TEXT, true, "reasoning text without a signature"},
    {WM_LOSS_MID_CONVERSATION_SYSTEM, true, "the place of a system turn in the conversation"},
    {WM_LOSS_DEVELOPER_ROLE, true, "the developer's turns, written as the system's"},
    {WM_LOSS_TOOL_RESULT_ERROR_STATUS, true, "that a tool failed, written into its result instead"},
    {WM_LOSS_TOOL_SCHEMA_STRICTNESS, true, "whether a tool's schema binds strictly"},
    {WM_LOSS_TOOL_ARGUMENTS, true, "arguments of a call that are no JSON object, wrapped into one"},
    {WM_LOSS_BUILTIN_TOOLS, true, "tools the provider runs itself, and their results"},
    {WM_LOSS_CHAT_CONTROLS, true, "Chat Completions controls that do not change what is asked"},
    {WM_LOSS_ANTHROPIC_CONTROLS, true, "Messages controls that do not change what is asked"},
    {WM_LOSS_RESPONSES_CONTROLS, true, "Responses controls that do not change what is asked"},
    {WM_LOSS_AUTHOR, true, "the name of a turn's author"},
    {WM_LOSS_BLOCK_ORDER, true, "the order of text and tool calls"},
    {WM_LOSS_STOP_DETAILS, true, "which sequence stopped the answer, or why it was refused"},
    {WM_LOSS_REFUSAL, true, "that a text is a refusal"},
}};

constexpr bool approved_on_served_models(std::string_view key) {
    for (const LossKey& one : loss_keys)
        if (one.key == key) return one.approved;
    return true;
}

} // namespace wm::sdk
