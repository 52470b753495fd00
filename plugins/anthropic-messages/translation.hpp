#pragma once
// What the parts of the translation share.
#include <watermaster/adapter.hpp>
#include <watermaster/translation/freeform.hpp>
#include <watermaster/translation/talk.hpp>

namespace wm::anthropic_messages {

inline constexpr std::string_view protocol = "anthropic-messages";

struct Options {
    Options(const sdk::Settings& settings, sdk::Problems& problems)
        : system_anywhere(sdk::flag(settings, "system_anywhere", false, problems)),
          reasoning_thinking(sdk::flag(settings, "provider_reasoning_thinking", false, problems)),
          reasoning_text(!reasoning_thinking && sdk::flag(settings, "provider_reasoning_text", false, problems)) {}

    bool system_anywhere;    // an upstream takes system turns among the others
    bool reasoning_thinking; // a client is shown unsigned reasoning as thinking, marked
    bool reasoning_text;     // or as text
};

struct Asked { // of a request that was read
    std::string model;
};

struct Sent { // what of a request has to be undone in its answer
    sdk::FreeformTools freeform;
};

using Talk = sdk::TalkOf<Options>;

} // namespace wm::anthropic_messages
