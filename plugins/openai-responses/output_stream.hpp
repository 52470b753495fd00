#pragma once
// The output of a streamed answer: blocks as items and parts, each event numbered and in its place. Items may be open
// side by side; each keeps the place in the output at which it was added.
#include "answer_shapes.hpp"

#include <watermaster/translation/held.hpp>
#include <watermaster/translation/losses.hpp>

#include <list>
#include <string>
#include <vector>

namespace wm::openai_responses {

class OutputStream {
  public:
    OutputStream(const Talk& talk, sdk::Held& held) : talk_(talk), held_(held) {}

    void put(std::string_view type, std::string_view members, std::uint32_t flags, sdk::Sink& out);

    void open(std::uint32_t block, std::string_view kind, bool own, sdk::Sink& out);
    void leaf(const sdk::Event& event, sdk::Sink& out);
    void cite(std::uint32_t block, const sdk::Event& citation, sdk::Sink& out);
    void end(std::uint32_t block, sdk::Sink& out);
    void settle(sdk::Sink& out); // says the end of calls that have ended: more follows, so they were not cut
    void finish(std::string_view status, sdk::Sink& out); // whatever is open ends, the last item with that status

    std::string json() const; // the items that have ended
    bool refused() const { return refused_; }
    sdk::Losses& losses() { return losses_; }

  private:
    struct Message {
        std::size_t output;
        sdk::Held::Share weight;
        std::string id, said_id, phase; // said_id: as the provider said it; phase: raw
        std::vector<std::string> parts{};
        std::size_t open = 0;    // parts
        bool superseded = false; // something else has begun since: it ends with its open parts
    };
    struct Text { // a part of a message
        Message* message = nullptr;
        std::size_t index = 0, marks = 0;
        Part part{};
    };
    struct Reasoning {
        std::string thought{}, summary{}, summary_index{}, summaries{}; // summaries: raw parts that have ended
        std::size_t summary_parts = 0;
        bool thinks = false, summarises = false; // such a part is open
        std::string sealed_format{}, sealed{};
        bool opaque = false;
    };
    struct Call {
        std::string id{}, name{}, input{};
        bool custom = false, ended = false;
    };
    struct Open { // a block, which is one of the three
        std::uint32_t node;
        sdk::Held::Share weight;
        std::string kind;
        bool own;                       // its ids are authentic here
        std::string said_id{}, phase{}; // as the provider said them; phase: raw
        bool announced = false;         // the item or part has been added
        std::size_t output = 0;         // of the item, once it is
        std::string id{}, place{};      // place: members that say where the item or part is
        Text text{};
        Reasoning reasoning{};
        Call call{};
    };

    Open* find(std::uint32_t node);
    void leaf(Open& block, const sdk::Event& event, sdk::Sink& out);
    std::size_t add(Open& block, std::string_view kind);
    void added(const Open& block, const std::string& item, std::uint32_t flags, sdk::Sink& out);
    void done(std::size_t output, std::string item, sdk::Sink& out);

    void say(Open& block, std::string_view piece, sdk::Sink& out);
    void begin_part(Open& block, sdk::Sink& out);
    void end_part(Open& block, sdk::Sink& out);
    void supersede(sdk::Sink& out);
    void end_message(Message& message, std::string_view status, sdk::Sink& out);

    void begin_reasoning(Open& block, sdk::Sink& out);
    void think(Open& block, std::string_view piece, sdk::Sink& out);
    void summarise(Open& block, std::string_view index, std::string_view piece, sdk::Sink& out);
    void end_summary(Open& block, sdk::Sink& out);
    void seal(Open& block, const sdk::Event& event);
    void end_reasoning(Open& block, sdk::Sink& out);

    void begin_call(Open& block, bool custom, sdk::Sink& out);
    void input(Open& block, std::string_view piece, bool custom, sdk::Sink& out);
    void end_call(Open& block, std::string_view status, sdk::Sink& out);

    void foreign(Open& block, const sdk::Event& raw, sdk::Sink& out);

    const Talk& talk_;
    sdk::Held& held_;
    sdk::Held::Share outputs_weight_{held_, 0};
    sdk::Losses losses_;
    std::list<Open> blocks_;
    std::list<Message> messages_;      // that are open
    Message* current_ = nullptr;       // the one that takes more texts
    std::vector<std::string> outputs_; // items, each empty until it has ended
    std::uint32_t newest_ = 0;         // block
    std::uint64_t next_number_ = 0;
    bool refused_ = false;
};

} // namespace wm::openai_responses
