#pragma once
// What an upstream wraps its answer into, taken off by its adapter before a tap or a translation reads it.
#include "exchange/relay.h"
#include "framing/framer.h"

namespace wm::exchange {

// Only where unframes(up).
plugin::Called<std::vector<plugin::OutFrame>> unframe(const Upstream& up, const framing::Frame& frame);

// The answer that a whole body holds, in its place. Not where it does not unframe.
std::optional<plugin::PluginError> unframe_document(const Upstream& up, std::string& document);

// The same for an answer that has to be there: why it cannot be used, if so.
std::optional<AttemptFailure> take_off_frame(const Upstream& up, std::string& document);

} // namespace wm::exchange
