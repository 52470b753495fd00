#pragma once
// A streamed Messages answer. The protocol knows one open block at a time: the first one open is streamed, what the
// others say meanwhile is held.
#include "answer_shapes.hpp"
#include "tool_use_ids.hpp"

#include <watermaster/translation/held.hpp>
#include <watermaster/translation/reasoning.hpp>

#include <deque>
#include <string>
#include <vector>

namespace wm::anthropic_messages {

class StreamWriter {
  public:
    StreamWriter(const Talk& talk, const Asked& asked) : talk_(talk), asked_(asked) {}

    sdk::Status write(const sdk::Event& event, sdk::Sink& out);
    sdk::Status end(sdk::Sink& out);

  private:
    struct Open {
        std::uint32_t node;
        sdk::Held::Share weight;
        std::string kind{}, id{}, name{};
        std::string text{}, args{}, signature{}, signature_format{}, opaque{}; // not written yet
        std::vector<std::string> citations{};
        bool sealed = false;                 // what stands in for a signature is encrypted reasoning
        bool started = false, ended = false; // content_block_start is out; END has come
        sdk::ShownReasoning shown{};

        void hold(std::string& in, std::string_view piece);
        void cite(std::string_view mark);
        void written(std::string& all); // it is not held any more
    };

    void take(const sdk::Event& event, sdk::Sink& out);
    void start(sdk::Sink& out);
    void think(Open& block, const sdk::Event& event, sdk::Sink& out);
    void leaf(Open& block, const sdk::Event& event, sdk::Sink& out);
    void flush(sdk::Sink& out);
    void show(Open& block, sdk::Sink& out);
    bool begin(Open& block, sdk::Sink& out);
    void delta(std::string_view type, std::string_view member, std::string_view text, sdk::Sink& out);
    void complete(sdk::Sink& out);

    const Talk& talk_;
    const Asked& asked_;
    AnswerHead head_;
    sdk::UsageTally usage_;
    sdk::ErrorTree error_;
    sdk::Losses losses_;
    sdk::Held held_;
    sdk::Held::Share head_weight_{held_, 0}, ids_weight_{held_, 0};
    std::deque<Open> blocks_; // in the order they were opened; the first is the one that is streamed
    ToolUseIds ids_;
    sdk::Finish finish_;
    std::string frame_;
    std::uint64_t index_ = 0;
    std::uint32_t response_ = 0, choice_ = 0, citation_ = 0, cited_ = 0; // cited_: the block of the open citation
    bool refused_ = false, closed_ = false;
};

} // namespace wm::anthropic_messages
