#pragma once
// The live state as JSON documents. Names, numbers and times; never a key, nor anything that a client sent.
#include "admin/gateway_view.h"

#include <optional>
#include <string>
#include <string_view>

namespace wm::admin {

std::string health_document(const GatewayView& gateway);

// `part`: "backends", "circuits", "gates", "mounts", "policies", "plugins" or "reloads"; empty: all of it. Nothing: no
// such part.
std::optional<std::string> state_document(const GatewayView& gateway, std::string_view part);

} // namespace wm::admin
