#pragma once
// Messages requests: what they ask for, and the edit a native relay needs.
#include <watermaster/transcoder.hpp>

namespace wm::anthropic_messages {

sdk::Status facts(const sdk::Request& request, std::uint32_t want, sdk::Sink& out);

// A SPLICE for the model. Usage is always given, so there is nothing to ask for.
sdk::Status rewrite(const sdk::Request& request, const sdk::Rename& rename, sdk::Sink& out);

} // namespace wm::anthropic_messages
