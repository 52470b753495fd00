#pragma once
// Responses requests: what they ask for, and the edits a native relay needs.
#include <watermaster/transcoder.hpp>

namespace wm::openai_responses {

sdk::Status facts(const sdk::Request& request, std::uint32_t want, sdk::Sink& out);

// SPLICEs for the model and for reasoning that a gateway has marked. Usage is always given: there is nothing to ask
// for.
sdk::Status rewrite(const sdk::Request& request, const sdk::Rename& rename, sdk::Sink& out);

} // namespace wm::openai_responses
