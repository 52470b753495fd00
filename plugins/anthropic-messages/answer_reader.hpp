#pragma once
// A Messages answer as events, whole or streamed. Tolerant: what it does not know it passes over.
#include "tap.hpp"
#include "translation.hpp"

#include <watermaster/translation/call_ids.hpp>
#include <watermaster/translation/object.hpp>

#include <string>
#include <vector>

namespace wm::anthropic_messages {

class AnswerReader : public sdk::FrameReader<AnswerReader> {
  public:
    AnswerReader(const Talk& talk, const Sent& sent) : talk_(talk), sent_(sent) {}

    sdk::Status event(const sdk::Frame& frame, sdk::Sink& out);
    sdk::Status document(std::string_view body, sdk::Sink& out);
    sdk::Status end(sdk::Sink& out);

  private:
    using Value = sdk::json::Value;
    struct Open {
        std::uint64_t index;
        std::uint32_t node;
        sdk::Held::Share weight;
        std::string input;     // of a call, as its start gave it: what it is if no piece of it follows
        bool call;             // of the client's own tools: one the provider runs is whole from its start
        bool pieces = false;   // its input comes in pieces behind the start
        bool freeform = false; // its input is free text, in an object that is gathered first
    };

    void begin(const Value& message, sdk::Emitter& events);
    void usage(const Value& usage, sdk::Emitter& events);
    void start_block(std::uint64_t index, const Value& block, sdk::Emitter& events);
    void delta(std::uint64_t index, const Value& delta, sdk::Emitter& events);
    void end_block(Open& open, sdk::Emitter& events);
    void end_block(std::uint64_t index, sdk::Emitter& events);
    void citation(std::uint32_t node, const Value& citation, sdk::Emitter& events);
    void stop(const Value& message, sdk::Emitter& events);
    void complete(sdk::Emitter& events);
    std::string_view text(const Value& value) { return sdk::text_of(value, scratch_); }

    const Talk& talk_;
    const Sent& sent_;
    UsageSnapshot usage_;
    std::uint32_t response_ = 0, choice_ = 0;
    sdk::Held held_;
    std::vector<Open> open_;
    sdk::CallIds call_ids_{held_};
    std::string scratch_;
    bool stopped_ = false, closed_ = false;
};

} // namespace wm::anthropic_messages
