#include "answer_shapes.hpp"

#include <algorithm>

namespace wm::anthropic_messages {

bool AnswerHead::take(const sdk::Event& event) {
    if (event.tag == WM_EV_RESPONSE) {
        own = event.name == protocol;
        id = event.value;
        return true;
    }
    if (event.tag == WM_EV_MODEL) model = event.value;
    return event.tag == WM_EV_MODEL || event.tag == WM_EV_CREATED;
}

void AnswerHead::complete(const Talk& talk, const Asked& asked) {
    if (id.empty()) id = "msg_" + talk.exchange;
    if (model.empty()) model = asked.model;
}

Stop::Stop(const sdk::Finish& finish, bool refused) {
    const std::string_view word = finish.word;
    if (word == WM_FINISH_LENGTH)
        reason = "max_tokens";
    else if (word == WM_FINISH_CONTEXT)
        reason = "model_context_window_exceeded";
    else if (word == WM_FINISH_TOOL_CALLS)
        reason = "tool_use";
    else if (word == WM_FINISH_PAUSE)
        reason = "pause_turn";
    else if (word == WM_FINISH_FILTER || word == WM_FINISH_REFUSAL || refused)
        reason = "refusal";
    else if (word == WM_FINISH_STOP_SEQUENCE && finish.matched.starts_with('"'))
        reason = "stop_sequence", sequence = finish.matched;
}

void write_usage(sdk::json::Writer& usage, const sdk::UsageTally& tally, sdk::Losses& losses, sdk::Sink& out) {
    const auto required = [&](std::string_view word) {
        const auto n = tally.get(word);
        if (!n) losses.loss(out, WM_LOSS_USAGE_UNKNOWN, word);
        return n.value_or(0);
    };
    const std::uint64_t input = required(WM_USAGE_INPUT), output = required(WM_USAGE_OUTPUT);
    const auto cached = tally.get(WM_USAGE_INPUT_CACHED), written = tally.get(WM_USAGE_INPUT_CACHE_WRITE);
    usage.number("input_tokens", input - std::min(input, cached.value_or(0) + written.value_or(0)));
    if (written) usage.number("cache_creation_input_tokens", *written);
    if (cached) usage.number("cache_read_input_tokens", *cached);
    usage.number("output_tokens", output);
    if (const auto reasoning = tally.get(WM_USAGE_OUTPUT_REASONING))
        usage.object("output_tokens_details").number("thinking_tokens", *reasoning);
}

} // namespace wm::anthropic_messages
