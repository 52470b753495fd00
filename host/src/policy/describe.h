#pragma once
#include <string>

struct lua_State;

namespace wm::policy {

// What `count` values from `first` on are, as somebody would write them in Lua; long ones are cut. Raises nothing.
std::string describe(lua_State* lua, int first, int count);

} // namespace wm::policy
