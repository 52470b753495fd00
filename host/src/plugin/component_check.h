#pragma once
// Judges one component of an entry table. Private to this folder.
#include "plugin/entry.h"

#include <optional>
#include <string_view>

namespace wm::plugin {

// Nothing, or why the component itself cannot be read.
std::optional<std::string> component_problem(const std::string& where, const wm_component& component,
                                             std::uint32_t stride);

// "adapter", "transcoder", or empty: an interface this host does not know.
std::string_view kind_of(const wm_component& component);

// Facts read and table complete, or the message that refuses it. The interface must be known.
Result<Judged, std::string> judge_component(const std::string& where, const wm_component& component);

} // namespace wm::plugin
