#pragma once
// Exports a plugin. Once, in one source file, outside any namespace:
//
//     WM_PLUGIN("1.0.0", wm::sdk::adapter<Acme>, wm::sdk::transcoder<AcmeChat>)
#include "adapter.hpp"
#include "transcoder.hpp"

#include <iterator>

namespace wm::sdk {

namespace detail {

// Components of this layer have no state of their own; a handle must be something, and is never followed.
inline constexpr char stateless = 0;
inline void* create(const wm_host*, wm_error*) noexcept { return const_cast<char*>(&stateless); }
inline void destroy(void*) noexcept {}

} // namespace detail

template <class A>
inline constexpr wm_component adapter{
    sizeof(wm_component),           0, WM_ADAPTER_1, A::id, A::facts_json, detail::create, detail::destroy,
    &detail::AdapterTable<A>::table};
template <class T>
inline constexpr wm_component transcoder{sizeof(wm_component), 0,
                                         WM_TRANSCODER_1,      T::id,
                                         T::facts_json,        detail::create,
                                         detail::destroy,      &detail::TranscoderTable<T>::table};

} // namespace wm::sdk

// The entry is constant-initialised: it can be read before any code of the plugin ran.
#define WM_PLUGIN(version, ...)                                                                                        \
    static constexpr wm_component wm_plugin_components[] = {__VA_ARGS__};                                              \
    extern "C" constexpr wm_plugin_entry wm_plugin_entry_v1{                                                           \
        sizeof(wm_plugin_entry),         WM_ABI_MAJOR,        WM_ABI_MINOR, version, wm_plugin_components,             \
        std::size(wm_plugin_components), sizeof(wm_component)};
