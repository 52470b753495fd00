#pragma once
// Plain values to and from the table on top of a Lua stack. All may raise.
#include "policy/meter.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <lua.hpp>
#include <optional>
#include <string_view>

namespace wm::policy {

inline constexpr std::int64_t longest_delay_ms = 24 * 3600 * 1000;

inline bool push(lua_State* lua, std::string_view value) {
    return lua_pushlstring(lua, value.data(), value.size()), true;
}

inline void set(lua_State* lua, const char* name, std::string_view value) {
    push(lua, value);
    lua_setfield(lua, -2, name);
}
inline void set(lua_State* lua, const char* name, lua_Integer value) {
    lua_pushinteger(lua, value);
    lua_setfield(lua, -2, name);
}
inline void set(lua_State* lua, const char* name, lua_Number value) {
    lua_pushnumber(lua, value);
    lua_setfield(lua, -2, name);
}
// Pushes a field of the table at `table`, past its metatable, and gives its type.
inline int push_field(lua_State* lua, int table, const char* name) {
    lua_pushstring(lua, name);
    return lua_rawget(lua, table);
}
// The string at `index`, valid while it stays on the stack; nothing if it is none. A number is not a string here.
inline std::optional<std::string_view> text_at(lua_State* lua, int index) {
    if (lua_type(lua, index) != LUA_TSTRING) return std::nullopt;
    std::size_t size = 0;
    const char* data = lua_tolstring(lua, index, &size);
    return std::string_view(data, size);
}

// The table at `table` is an answer: where scripts are tested, a member that is none of `known` is an error.
inline void expect_members(lua_State* lua, int table, std::initializer_list<std::string_view> known) {
    if (!meter(lua).limits.strict) return;
    lua_pushnil(lua);
    while (lua_next(lua, table)) {
        lua_pop(lua, 1);
        const auto name = text_at(lua, -1);
        if (!name) luaL_error(lua, "the answer: expected names as members, found a %s", luaL_typename(lua, -1));
        if (std::find(known.begin(), known.end(), *name) == known.end())
            luaL_error(lua, "the answer: there is no member '%s'; see API.md", name->data());
    }
}

// A delay in milliseconds, rounded up: finite, from 0 to 24 hours.
inline std::optional<std::int64_t> delay_at(lua_State* lua, int index) {
    if (lua_type(lua, index) != LUA_TNUMBER) return std::nullopt;
    const double ms = lua_tonumber(lua, index);
    if (!(ms >= 0 && ms <= double(longest_delay_ms))) return std::nullopt; // NaN fails both
    return std::int64_t(std::ceil(ms));
}

} // namespace wm::policy
