#pragma once
// What whole and streamed Chat Completions answers share.
#include "translation.hpp"

#include <watermaster/json_write.hpp>
#include <watermaster/translation/losses.hpp>
#include <watermaster/translation/tally.hpp>

namespace wm::openai_chat {

std::string_view finish_reason(std::string_view word, bool refused); // refused: by a text that says so

// The head of an answer, as the events say it and else as the talk knows it.
struct AnswerHead {
    std::string id, model, created;

    bool take(const sdk::Event& event); // RESPONSE, MODEL, CREATED
    void complete(const Talk& talk, const Asked& asked);
};

// {"prompt_tokens", "completion_tokens", "total_tokens", details}. The three are required: one that nobody counted is
// 0, and a loss says so.
std::string usage_object(const sdk::UsageTally& usage, sdk::Losses& losses, sdk::Sink& out);

} // namespace wm::openai_chat
