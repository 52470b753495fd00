#include "answer_shapes.hpp"

namespace wm::openai_chat {

using sdk::json::Writer;

std::string_view finish_reason(std::string_view word, bool refused) {
    if (word == WM_FINISH_LENGTH || word == WM_FINISH_CONTEXT) return "length";
    if (word == WM_FINISH_TOOL_CALLS) return "tool_calls";
    if (word == WM_FINISH_FILTER || (word == WM_FINISH_REFUSAL && !refused)) return "content_filter";
    return "stop"; // a refusal in the model's words, too
}

bool AnswerHead::take(const sdk::Event& event) {
    if (event.tag == WM_EV_RESPONSE)
        id = event.value;
    else if (event.tag == WM_EV_MODEL)
        model = event.value;
    else if (event.tag == WM_EV_CREATED)
        created = event.value;
    else
        return false;
    return true;
}

void AnswerHead::complete(const Talk& talk, const Asked& asked) {
    if (id.empty()) id = "chatcmpl-" + talk.exchange;
    if (model.empty()) model = asked.model;
    if (created.empty()) created = std::to_string(talk.now_ms / 1000);
}

std::string usage_object(const sdk::UsageTally& usage, sdk::Losses& losses, sdk::Sink& out) {
    const auto required = [&](std::string_view word) {
        const auto n = usage.get(word);
        if (!n) losses.loss(out, WM_LOSS_USAGE_UNKNOWN, word);
        return n.value_or(0);
    };
    const std::uint64_t input = required(WM_USAGE_INPUT), output = required(WM_USAGE_OUTPUT);
    const auto details = [&](Writer& w, std::string_view name,
                             std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
        bool any = false;
        for (const auto& [word, member] : members) any |= usage.get(word).has_value();
        if (!any) return;
        Writer object = w.object(name);
        for (const auto& [word, member] : members)
            if (const auto n = usage.get(word)) object.number(member, *n);
    };
    std::string text;
    {
        Writer w(text);
        w.number("prompt_tokens", input);
        w.number("completion_tokens", output);
        w.number("total_tokens", input + output);
        details(w, "prompt_tokens_details",
                {{WM_USAGE_INPUT_CACHED, "cached_tokens"},
                 {WM_USAGE_INPUT_CACHE_WRITE, "cache_write_tokens"},
                 {WM_USAGE_INPUT_AUDIO, "audio_tokens"}});
        details(w, "completion_tokens_details",
                {{WM_USAGE_OUTPUT_REASONING, "reasoning_tokens"},
                 {WM_USAGE_OUTPUT_AUDIO, "audio_tokens"},
                 {WM_USAGE_PREDICTION_ACCEPTED, "accepted_prediction_tokens"},
                 {WM_USAGE_PREDICTION_REJECTED, "rejected_prediction_tokens"}});
    }
    return text;
}

} // namespace wm::openai_chat
