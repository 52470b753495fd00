#pragma once
// What plugins say about failures, made fit to be read: bounded, printable. Private to this folder.
#include "plugin/calls.h"

#include <string>
#include <string_view>
#include <watermaster/plugin.h>

namespace wm::plugin {

// At most `max` bytes; whatever is not printable ASCII becomes '?'.
std::string printable(std::string_view text, std::size_t max);
std::string printable(const char* text, std::size_t max); // reads no further than `max`; null is "null"

inline wm_error fresh_error() {
    wm_error error{};
    error.size = sizeof error;
    return error;
}

// `who` names component and function: "transcoder openai-chat: rewrite".
PluginError failed(wm_status status, const wm_error& error, std::string_view who);
PluginError misbehaved(std::string_view what, std::string_view who); // WM_INTERNAL, the plugin broke its contract

inline constexpr const char* out_of_memory = "out of memory"; // a fault of a call that is not the plugin's

} // namespace wm::plugin
