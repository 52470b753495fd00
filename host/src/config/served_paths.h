#pragma once
// Paths the data listener serves by itself, beside the protocols' operations.
#include <array>
#include <string_view>

namespace wm::config {

// With [server] prio_prefix: taken away from a path before anything is matched; it asks for the priority high.
inline constexpr std::string_view prio_prefix = "/prio";
inline constexpr std::string_view models_path = "/v1/models";
inline constexpr std::array<std::string_view, 2> health_paths{"/healthz", "/health/liveliness"};
inline constexpr std::array<std::string_view, 2> ready_paths{"/readyz", "/health/readiness"};

} // namespace wm::config
