#pragma once
// What the parts of the translation share.
#include <watermaster/adapter.hpp>
#include <watermaster/translation/talk.hpp>

namespace wm::openai_responses {

inline constexpr std::string_view protocol = "openai-responses";

// Capabilities of an upstream.
struct Options {
    Options(const sdk::Settings& settings, sdk::Problems& problems)
        : reasoning_effort(sdk::flag(settings, "reasoning_effort", true, problems)),
          reasoning_history(sdk::flag(settings, "reasoning_history", false, problems)),
          encrypted_reasoning(sdk::flag(settings, "encrypted_reasoning", true, problems)) {}

    bool reasoning_effort;
    bool reasoning_history;   // earlier reasoning goes back as reasoning_text
    bool encrypted_reasoning; // is asked to show its reasoning encrypted, so that a client can give it back
};

struct Asked { // of a request that was read
    std::string model;
    std::string echo; // members of it that its answers repeat: `"name":value` with commas between
};

struct Sent {}; // nothing of a request has to be undone in its answer

using Talk = sdk::TalkOf<Options>;

} // namespace wm::openai_responses
