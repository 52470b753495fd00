#pragma once
// A streamed Chat Completions answer: a chunk for each piece, calls numbered, [DONE] last.
#include "answer_shapes.hpp"

#include <watermaster/translation/held.hpp>
#include <watermaster/translation/reasoning.hpp>

#include <vector>

namespace wm::openai_chat {

class StreamWriter {
  public:
    StreamWriter(const Talk& talk, const Asked& asked) : talk_(talk), asked_(asked) {}

    sdk::Status write(const sdk::Event& event, sdk::Sink& out);
    sdk::Status end(sdk::Sink& out);

  private:
    struct Choice {
        std::uint32_t node;
        sdk::Held::Share weight;
        std::string index;
        std::uint64_t calls = 0;
        std::string item{}; // of the text before
        bool any_text = false, refused = false;
    };
    struct Open { // a block
        std::uint32_t node;
        sdk::Held::Share weight;
        std::string kind, choice; // choice: its index
        std::uint64_t call = 0;   // its number among the choice's calls
        std::string id{}, name{};
        bool announced = false, custom = false, any = false;
        std::string item{};
        sdk::ShownReasoning shown{};
    };

    void take(const sdk::Event& event, sdk::Sink& out);
    void open_choice(const sdk::Event& event, sdk::Sink& out);
    void open_block(const sdk::Event& event, sdk::Sink& out);
    void leaf(Open& block, const sdk::Event& event, sdk::Sink& out);
    void reasoning(Open& block, const sdk::Event& event, sdk::Sink& out);
    bool begins_another_message(const Open& block);
    void text(const Open& block, std::string_view piece, sdk::Sink& out);
    void announce(Open& block, bool custom, sdk::Sink& out);
    void arguments(Open& block, std::string_view piece, bool custom, sdk::Sink& out);
    void close(const sdk::Event& event, sdk::Sink& out);
    void finish(const Choice& choice, std::string_view word, sdk::Sink& out);
    void complete(sdk::Sink& out);
    void chunk(std::string_view index, std::string_view delta, std::string_view finish, std::uint32_t flags,
               sdk::Sink& out, std::string_view logprobs = "null");

    const Talk& talk_;
    const Asked& asked_;
    AnswerHead head_;
    sdk::UsageTally usage_;
    sdk::ErrorTree error_;
    sdk::Losses losses_;
    sdk::Held held_;
    sdk::Held::Share head_weight_{held_, 0};
    std::vector<Choice> choices_;
    std::vector<Open> blocks_;
    std::string prefix_, delta_, frame_; // prefix_: what every chunk begins with
    std::uint32_t response_ = 0;
    bool closed_ = false;
};

} // namespace wm::openai_chat
