#pragma once
// What the parts of the translation share.
#include <watermaster/adapter.hpp>
#include <watermaster/translation/freeform.hpp>
#include <watermaster/translation/talk.hpp>

namespace wm::openai_chat {

inline constexpr std::string_view protocol = "openai-chat";

// Capabilities of an upstream, as the facts declare them.
struct Options {
    Options(const sdk::Settings& settings, sdk::Problems& problems)
        : developer_role(sdk::flag(settings, "developer_role", false, problems)),
          system_anywhere(sdk::flag(settings, "system_anywhere", false, problems)),
          image_input(sdk::flag(settings, "image_input", true, problems)),
          structured_outputs(sdk::flag(settings, "structured_outputs", true, problems)),
          stop_sequences(sdk::flag(settings, "stop_sequences", true, problems)),
          parallel_tool_calls(sdk::flag(settings, "parallel_tool_calls", true, problems)),
          reasoning_effort(sdk::flag(settings, "reasoning_effort", true, problems)),
          reasoning_history(sdk::flag(settings, "reasoning_history", false, problems)),
          max_completion_tokens(sdk::flag(settings, "max_completion_tokens", false, problems)),
          custom_tools(sdk::flag(settings, "custom_tools", false, problems)) {}

    bool developer_role, system_anywhere;
    bool image_input, structured_outputs, stop_sequences, parallel_tool_calls, reasoning_effort;
    bool reasoning_history;     // earlier reasoning goes back as reasoning_content
    bool max_completion_tokens; // the limit's newer name, which reasoning models want and others do not know
    bool custom_tools;          // takes tools whose input is free text; else they take an object that holds it
};

struct Asked { // of a request that was read
    std::string model;
    bool include_usage = false;
};

struct Sent { // what of a request has to be undone in its answer
    sdk::FreeformTools freeform;
};

using Talk = sdk::TalkOf<Options>;

} // namespace wm::openai_chat
