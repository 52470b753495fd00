#pragma once
// What whole and streamed Responses answers share: the head, how it ended, usage, and the items of its output.
#include "response_object.hpp"
#include "translation.hpp"

#include <watermaster/json_write.hpp>
#include <watermaster/translation/content.hpp>
#include <watermaster/translation/losses.hpp>
#include <watermaster/translation/tally.hpp>

namespace wm::openai_responses {

struct AnswerHead {
    std::string id, model, created;
    bool own = false; // an answer of this protocol, whose ids of items are authentic here

    bool take(const sdk::Event& event); // RESPONSE, MODEL, CREATED
    // As the events said it, and else as the talk knows it.
    ResponseObject response(const Talk& talk, const Asked& asked) const;
};

// How an answer ended.
struct Ending {
    std::string_view status = "completed";
    std::string_view incomplete_details = "null"; // raw

    Ending() = default;
    Ending(std::string_view finish, bool refused); // refused: by a text that says so
};

// All five members are required: what nobody counted is 0, and a loss says so.
std::string usage_object(const sdk::UsageTally& usage, sdk::Losses& losses, sdk::Sink& out);

// Items of an output need an id that is not the call's.
std::string item_id(std::string_view kind, const Talk& talk, std::uint64_t index);

// Parts and items as they stand in an output. `content`: parts with commas between.
struct Part {
    std::string text, annotations, logprobs; // raw with commas between, but for the text
    std::string json(bool refusal) const;
};
std::string reasoning_part(std::string_view type, std::string_view text);
std::string message_item(std::string_view id, std::string_view status, std::string_view content,
                         std::string_view phase);
std::string reasoning_item(std::string_view id, std::string_view summary, std::string_view content,
                           std::string_view sealed);
struct CallItem {
    std::string_view id, call, name, input;
    bool custom;
    std::string json(std::string_view status) const;
};
// Of a call in an answer that ended so: cut are the last block that began, and what is no whole JSON.
std::string_view call_status(std::string_view answer, bool last, bool custom, std::string_view input);

// What stands in `encrypted_content`: what this protocol's provider has sealed, or a carrier for what another has, or
// for nothing: by that the item is known again, whose id no provider has given. `own`: an answer of this protocol.
std::string sealed_reasoning(bool own, std::string_view format, std::string_view value, bool opaque);

} // namespace wm::openai_responses
