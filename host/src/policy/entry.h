#pragma once
#include <string>
#include <string_view>

namespace wm::policy {

// The global function a policy must define, by the folder it lies in; empty: no policy goes by that name.
std::string_view entry_point(std::string_view policy);

// What Lua's messages call the script: "failure/generic.lua".
std::string chunk_name(std::string_view policy);

} // namespace wm::policy
