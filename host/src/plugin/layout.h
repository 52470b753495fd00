#pragma once
// How much of each table ABI 1.0 needs. Later minors append; these stay. Private to this folder.
#include <watermaster/plugin.h>

#include <cstddef>
#include <cstdint>

namespace wm::plugin {

#define WM_THROUGH(T, f) (offsetof(T, f) + sizeof(T::f))
constexpr std::uint32_t entry_bytes = WM_THROUGH(wm_plugin_entry, stride);
constexpr std::uint32_t component_bytes = WM_THROUGH(wm_component, table);
constexpr std::uint32_t adapter_bytes = WM_THROUGH(wm_adapter, prepare);
constexpr std::uint32_t transcoder_bytes = WM_THROUGH(wm_transcoder, tap_close);
#undef WM_THROUGH

// No table comes near this: a larger size is not a size.
constexpr std::uint32_t max_table_bytes = 4096;

} // namespace wm::plugin
