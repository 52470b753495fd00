#pragma once
// Ids of calls as the API wants them: letters, digits, _ and - only, and none twice. Other protocols say neither, so an
// id that comes again gets a number, and each result goes to its own call.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wm::anthropic_messages {

class ToolUseIds {
  public:
    // Of a call. The same calls in the same order get the same ids.
    std::string call(std::string_view said);
    // Of a result: the call is the first that has none yet, of those with that id since others were answered.
    std::string result(std::string_view said);
    // Calls from here on are another turn's.
    void next_turn() { ++turn_; }

    // What is kept of a call: its id so often, and bytes beside.
    static constexpr std::size_t copies = 3, beside = 256;

  private:
    struct Calls {
        unsigned turn = 0;
        std::vector<std::string> ids{};
        std::size_t answered = 0;
    };
    std::map<std::string, Calls, std::less<>> calls_;    // by what was said
    std::map<std::string, unsigned, std::less<>> taken_; // how often
    unsigned turn_ = 0;
};

} // namespace wm::anthropic_messages
