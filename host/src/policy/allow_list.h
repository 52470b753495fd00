#pragma once

struct lua_State;

namespace wm::policy {

// Pushes a table of everything a script may reach, and closes all other ways to Lua's libraries. May raise.
void push_allowed(lua_State* lua);

// Pushes an empty table through which `content` (an absolute index) can be read but not written.
void push_frozen(lua_State* lua, int content);

} // namespace wm::policy
