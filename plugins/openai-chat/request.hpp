#pragma once
// Chat Completions requests: what they ask for, and the edits a native relay needs.
#include <watermaster/transcoder.hpp>

namespace wm::openai_chat {

sdk::Status facts(const sdk::Request& request, std::uint32_t want, sdk::Sink& out);

// SPLICEs for the model and, when usage is to be asked for in a stream, for stream_options.include_usage.
sdk::Status rewrite(const sdk::Request& request, const sdk::Rename& rename, sdk::Sink& out);

} // namespace wm::openai_chat
