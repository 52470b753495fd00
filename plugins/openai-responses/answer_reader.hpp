#pragma once
// A Responses answer as events, whole or streamed. Tolerant: what it does not know it passes over.
#include "translation.hpp"

#include <watermaster/protocol/frame_reader.hpp>
#include <watermaster/translation/call_ids.hpp>
#include <watermaster/translation/object.hpp>

#include <string>
#include <vector>

namespace wm::openai_responses {

class AnswerReader : public sdk::FrameReader<AnswerReader> {
  public:
    AnswerReader(const Talk& talk, const Sent&) : talk_(talk) {}

    sdk::Status event(const sdk::Frame& frame, sdk::Sink& out);
    sdk::Status document(std::string_view body, sdk::Sink& out);
    sdk::Status end(sdk::Sink& out);

  private:
    using Value = sdk::json::Value;
    enum class ItemKind : unsigned char { message, reasoning, call, custom_call, foreign };
    struct Item { // of the output, while it is open
        std::uint64_t index;
        ItemKind kind;
        sdk::Held::Share weight;
        std::string id, phase;  // phase: raw
        std::uint64_t part = 0; // of a message: which one `node` is
        std::uint32_t node = 0; // the open block; 0: none
        bool said = false;      // something of what it says has come
        std::string type{};     // of a foreign one
        bool is_call() const { return kind == ItemKind::call || kind == ItemKind::custom_call; }
    };
    struct Place;

    void stream_event(std::string_view type, const Place& place, sdk::Emitter& events);
    void begin(const Value& response, sdk::Emitter& events);
    Item* find(std::uint64_t index);
    void add(std::uint64_t index, const Value& item, sdk::Emitter& events);
    void done(std::uint64_t index, const Value& item, sdk::Emitter& events);
    void open_call(Item& item, const Value& raw, sdk::Emitter& events);
    void foreign(std::string_view kind, const Value& raw, sdk::Emitter& events);
    void whole_message(Item& item, const Value& content, sdk::Emitter& events);
    void whole_reasoning(Item& item, const Value& raw, sdk::Emitter& events);
    void text(const Place& place, std::string_view kind, const Value& piece, sdk::Emitter& events);
    void thought(const Place& place, std::uint32_t tag, const Value& piece, sdk::Emitter& events);
    void arguments(const Place& place, const Value& piece, bool whole, sdk::Emitter& events);
    void citation(std::uint32_t block, const Value& annotation, sdk::Emitter& events);
    void logprobs(std::uint32_t block, const Value& entries, sdk::Emitter& events);
    void open_part(Item& item, std::uint64_t part, std::string_view kind, sdk::Emitter& events);
    void open_thought(Item& item, sdk::Emitter& events);
    void close(Item& item, sdk::Emitter& events);
    void close_texts(sdk::Emitter& events);
    void nameless(sdk::Emitter& events);
    sdk::Status failure(const Value& error, sdk::Emitter& events);
    sdk::Status finish(const Value& response, bool incomplete, sdk::Emitter& events);
    std::string_view text_of(const Value& value) { return sdk::text_of(value, scratch_); }

    const Talk& talk_;
    std::uint32_t response_ = 0, choice_ = 0;
    sdk::Held held_;
    std::vector<Item> items_;
    std::uint64_t items_seen_ = 0;
    sdk::CallIds call_ids_{held_};
    std::string scratch_;
    bool refused_ = false;
};

} // namespace wm::openai_responses
