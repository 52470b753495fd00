#pragma once

struct lua_State;

namespace wm::policy {

// Lua's own table functions (upvalue 1) behind a bound: their loops run in C, where the instruction limit cannot see.
int table_charged(lua_State* lua); // concat, insert, remove: charges for the table's length
int table_sort(lua_State* lua);    // at most 4096 elements
int table_unpack(lua_State* lua);  // at most 256 elements

} // namespace wm::policy
