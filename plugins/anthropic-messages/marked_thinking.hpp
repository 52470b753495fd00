#pragma once
// Thinking that a gateway has marked, taken out of a request that goes to a provider of this protocol: that would
// refuse the mark as no signature of its own.
#include <watermaster/json_scan.hpp>
#include <watermaster/protocol/body_edits.hpp>

#include <vector>

namespace wm::anthropic_messages {

class MarkedThinking {
  public:
    explicit MarkedThinking(const sdk::json::Value& messages);

    // Cuts it out; a message of which nothing is left goes with it.
    void put(sdk::BodyEdits& edits);

    // A turn in which a tool was called has lost the thinking that it has to begin with where thinking has a budget.
    bool breaks_tool_loop() const { return last_.lost && last_.calls && !last_.thinks; }

  private:
    struct Turn { // of the assistant, perhaps in several messages
        bool lost = false, any = false, thinks = false, calls = false;
        void add(const Turn& more);
    };
    Turn take(const sdk::json::Value& content, sdk::ListCuts& cuts);
    bool is_all_marked(std::string_view message);

    sdk::ListCuts messages_;
    std::vector<sdk::ListCuts> blocks_; // of messages that stay
    Turn turn_, last_;                  // under way, and the last of which something is left
    bool open_ = false;
};

} // namespace wm::anthropic_messages
