#pragma once
// The registry of loss keys: each once, with what is lost by it, on which way, and where it is approved unless a
// configuration says otherwise. `scripts/loss-table` writes the table of sdk/LOSSES.md from these lines. A key that is
// not here is a plugin's own.
#include "../words.h"

#include <array>
#include <string_view>

namespace wm::sdk {

enum class LossWay : unsigned char { request, answer, both };

// Who approves it by default. What would change the answer is approved by nobody; without what must not be lost, it
// would be the answer to another request, so no configuration approves that.
enum class LossDefault : unsigned char { never, nowhere, served_models, everywhere /* on mounts too */ };

struct LossKey {
    std::string_view key;
    LossWay way;
    LossDefault approved;
    std::string_view help;
};

inline constexpr LossWay in_request = LossWay::request, in_answer = LossWay::answer, both_ways = LossWay::both;
inline constexpr LossDefault never = LossDefault::never, nowhere = LossDefault::nowhere,
                             served_models = LossDefault::served_models, everywhere = LossDefault::everywhere;

inline constexpr std::array loss_keys{
    LossKey{WM_LOSS_CHOICES, both_ways, nowhere, "more than one answer was asked for"},
    LossKey{WM_LOSS_LOGPROBS, both_ways, nowhere, "log probabilities"},
    LossKey{WM_LOSS_OUTPUT_FORMAT, in_request, nowhere, "the format the answer must have"},
    LossKey{WM_LOSS_MODALITIES, in_request, nowhere, "an answer in another form than text"},
    LossKey{WM_LOSS_CONTINUATION, in_request, never, "a conversation the provider keeps"},
    LossKey{WM_LOSS_TOOL_CHOICE, in_request, nowhere, "which of the tools may be called"},
    LossKey{WM_LOSS_CUSTOM_TOOLS, both_ways, nowhere, "tools whose input is free text"},
    LossKey{WM_LOSS_STOP_SEQUENCES, in_request, nowhere, "what ends the answer"},
    LossKey{WM_LOSS_PARALLEL_TOOL_CALLS, in_request, nowhere, "whether tools may be called side by side"},
    LossKey{WM_LOSS_SAMPLING, in_request, served_models, "a sampling parameter, or its range"},
    LossKey{WM_LOSS_CITATIONS, both_ways, served_models, "citations, as marks on the text"},
    LossKey{WM_LOSS_MEDIA, both_ways, served_models, "a document, sound or film, or its place"},
    LossKey{WM_LOSS_IMAGE_INPUT, in_request, served_models, "an image, for an upstream that takes none"},
    LossKey{WM_LOSS_METADATA, in_request, served_models, "metadata of the request"},
    LossKey{WM_LOSS_EXTENSION_MEMBERS, both_ways, served_models, "members the reader of the protocol does not know"},
    LossKey{WM_LOSS_UNKNOWN_EVENT, both_ways, served_models,
            "what another plugin says in words that are not known yet"},
    LossKey{WM_LOSS_PROVIDER_REASONING_TEXT, both_ways, served_models, "reasoning text without a signature"},
    LossKey{WM_LOSS_MULTIPLE_SYSTEM_TURNS, in_request, served_models, "that the system's text came in several turns"},
    LossKey{WM_LOSS_TOOL_SCHEMA_STRICTNESS, in_request, served_models, "whether a tool's schema binds strictly"},
    LossKey{WM_LOSS_TOOL_ARGUMENTS, both_ways, served_models,
            "arguments of a call that are no JSON object, wrapped into one"},
    LossKey{WM_LOSS_CHAT_CONTROLS, in_request, served_models,
            "Chat Completions controls that do not change what is asked"},
    LossKey{WM_LOSS_AUTHOR, in_request, served_models, "the name of a turn's author"},
    LossKey{WM_LOSS_BLOCK_ORDER, both_ways, served_models, "the order of text and tool calls"},
    LossKey{WM_LOSS_REFUSAL, both_ways, served_models, "that a text is a refusal"},
    LossKey{WM_LOSS_CACHE_MARKERS, in_request, everywhere, "prompt cache breakpoints"},
    LossKey{WM_LOSS_CLIENT_QUERY, in_request, everywhere, "a member of the request's query"},
    LossKey{WM_LOSS_STOP_DETAILS, in_answer, everywhere, "which sequence stopped the answer, or why it was refused"},
    LossKey{WM_LOSS_AUTHENTICATED_THINKING, both_ways, everywhere, "reasoning that only its own provider can verify"},
    LossKey{WM_LOSS_REASONING_SUMMARY, both_ways, everywhere,
            "summaries of reasoning, and how it should be summarised"},
    LossKey{WM_LOSS_REQUEST_REASONING, in_request, everywhere, "how much the model should reason"},
    LossKey{WM_LOSS_MID_CONVERSATION_SYSTEM, in_request, everywhere, "the place of a system turn in the conversation"},
    LossKey{WM_LOSS_DEVELOPER_ROLE, in_request, everywhere, "the developer's turns, written as the system's"},
    LossKey{WM_LOSS_RESPONSES_CONTROLS, both_ways, everywhere, "Responses controls that do not change what is asked"},
    LossKey{WM_LOSS_ANTHROPIC_CONTROLS, both_ways, everywhere, "Messages controls that do not change what is asked"},
    LossKey{WM_LOSS_BUILTIN_TOOLS, both_ways, everywhere, "tools the provider runs itself, and their results"},
    LossKey{WM_LOSS_TOOL_RESULT_ERROR_STATUS, in_request, everywhere,
            "that a tool failed, written into its result instead"},
    LossKey{WM_LOSS_USAGE_UNKNOWN, in_answer, everywhere, "token counts the provider did not give, written as 0"},
    LossKey{WM_LOSS_USAGE_CACHE_READ_UNKNOWN, in_answer, everywhere,
            "how much of the prompt came from a cache, written as 0"},
    LossKey{WM_LOSS_USAGE_CACHE_WRITE_UNKNOWN, in_answer, everywhere,
            "how much of the prompt went into a cache, written as 0"},
    LossKey{WM_LOSS_USAGE_REASONING_UNKNOWN, in_answer, everywhere,
            "how much of the answer was reasoning, written as 0"},
};

constexpr const LossKey* find_loss_key(std::string_view key) {
    for (const LossKey& one : loss_keys)
        if (one.key == key) return &one;
    return nullptr;
}

} // namespace wm::sdk
