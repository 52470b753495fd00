#pragma once

struct lua_State;

namespace wm::policy {

// The host's own text functions; each runs in time linear in its arguments and charges for it.
int text_contains(lua_State* lua); // contains(text, needle, ...): any of them, ASCII case ignored; no text: false
int text_find(lua_State* lua);     // string.find(text, needle [, start]): plain
int text_rep(lua_State* lua);      // string.rep, at most 64 KiB
int text_format(lua_State* lua);   // string.format, upvalue 1; no addresses, at most 4 KiB of format

} // namespace wm::policy
