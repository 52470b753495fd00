#pragma once
// What whole and streamed Messages answers share.
#include "translation.hpp"

#include <watermaster/json_write.hpp>
#include <watermaster/translation/content.hpp>
#include <watermaster/translation/losses.hpp>
#include <watermaster/translation/tally.hpp>

namespace wm::anthropic_messages {

struct AnswerHead {
    std::string id, model;
    bool own = false; // an answer of this protocol, whose reasoning is authentic here

    bool take(const sdk::Event& event); // RESPONSE, MODEL, CREATED
    void complete(const Talk& talk, const Asked& asked);
};

// How an answer stopped, as this protocol says it.
struct Stop {
    std::string reason = "end_turn";
    std::string sequence = "null"; // raw

    Stop() = default;
    Stop(const sdk::Finish& finish, bool refused);
};

// Counts are separate here, where the events count cached input inside the input. The members are required: one that
// nobody counted is 0, and a loss says so.
void write_usage(sdk::json::Writer& usage, const sdk::UsageTally& tally, sdk::Losses& losses, sdk::Sink& out);

} // namespace wm::anthropic_messages
