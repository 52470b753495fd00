#pragma once
// A Chat Completions answer as events, whole or streamed. Tolerant: what it does not know it passes over.
#include "translation.hpp"

#include <watermaster/protocol/frame_reader.hpp>
#include <watermaster/translation/call_ids.hpp>
#include <watermaster/translation/object.hpp>

#include <list>
#include <string>
#include <vector>

namespace wm::openai_chat {

class AnswerReader : public sdk::FrameReader<AnswerReader> {
  public:
    AnswerReader(const Talk& talk, const Sent& sent) : talk_(talk), sent_(sent) {}

    sdk::Status event(const sdk::Frame& frame, sdk::Sink& out);
    sdk::Status document(std::string_view body, sdk::Sink& out);
    sdk::Status end(sdk::Sink& out);

  private:
    using Value = sdk::json::Value;
    struct Call {
        std::uint64_t index;
        sdk::Held::Share weight;
        std::uint32_t node = 0;                // 0: its name has not come yet
        std::string id{}, held{};              // held: arguments that came before the name, and all of a freeform one's
        bool custom = false, freeform = false; // freeform: of a tool whose free text goes in an object
        bool nameless() const { return !node && (!id.empty() || !held.empty()); }
    };
    struct Choice {
        std::uint64_t index;
        std::uint32_t node;
        sdk::Held::Share weight;
        std::uint32_t text = 0, refusal = 0, reasoning = 0; // open blocks
        std::vector<Call> calls{};
        bool refused = false, finished = false;
    };
    struct Chunk;

    static bool read(std::string_view json, Chunk& chunk);
    void answer(const Chunk& chunk, sdk::Emitter& events);
    void begin(const Chunk& chunk, sdk::Emitter& events);
    void choice(std::string_view raw, sdk::Emitter& events);
    void delta(Choice& choice, std::string_view raw, sdk::Emitter& events);
    void said(Choice& choice, std::string_view kind, const Value& said, sdk::Emitter& events);
    void part(Choice& choice, std::string_view kind, const Value& part, sdk::Emitter& events);
    void foreign(Choice& choice, const Value& raw, sdk::Emitter& events);
    void piece(Choice& choice, std::string_view kind, const Value& text, sdk::Emitter& events);
    void tool_call(Choice& choice, std::string_view raw, std::uint64_t position, sdk::Emitter& events);
    void arguments(Choice& choice, Call& call, std::string_view name, std::string_view piece, sdk::Emitter& events);
    void citations(Choice& choice, const Value& annotations, sdk::Emitter& events);
    void logprobs(std::uint32_t block, const Value& entries, sdk::Emitter& events);
    void close(std::uint32_t& block, sdk::Emitter& events);
    void finish(Choice& choice, const Value& reason, const Value& matched, sdk::Emitter& events);
    void complete(sdk::Emitter& events);
    bool every_choice_finished() const;
    void bound();

    const Talk& talk_;
    const Sent& sent_;
    std::uint32_t response_ = 0;
    sdk::Held held_;
    std::list<Choice> choices_;
    sdk::CallIds call_ids_{held_};
    std::string scratch_, scratch_name_;
    sdk::Status status_;
    bool closed_ = false;
};

} // namespace wm::openai_chat
