// What the mock reads of a request's body: only what scripts its answer.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace wm::mock {

struct Ask {
    std::string model;
    bool stream = false;
    bool include_usage = false;                    // chat: stream_options.include_usage
    std::string tool;                              // the one it will call: the first tool offered, empty if none
    std::string arguments = R"({"city":"Paris"})"; // it will call it with
    std::string shell;          // the first tool offered that runs commands for a coding agent, empty if none
    bool tool_answered = false; // the conversation already holds a tool's result
    bool reasons = false;       // the model thinks before it speaks
};

// Nothing if the body cannot be a JSON object.
std::optional<Ask> read_ask(std::string_view body);

} // namespace wm::mock
