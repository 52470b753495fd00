#include "policy/table_functions.h"

#include "policy/meter.h"

#include <lua.hpp>

namespace wm::policy {
namespace {

constexpr lua_Unsigned most_sorted = 4096;
constexpr lua_Integer most_unpacked = 256;

int forward(lua_State* lua) {
    const int arguments = lua_gettop(lua);
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, arguments, LUA_MULTRET);
    return lua_gettop(lua);
}

} // namespace

int table_charged(lua_State* lua) {
    luaL_checktype(lua, 1, LUA_TTABLE);
    charge(lua, std::size_t(lua_rawlen(lua, 1)) / 4 + 1);
    return forward(lua);
}

int table_sort(lua_State* lua) {
    luaL_checktype(lua, 1, LUA_TTABLE);
    const auto size = lua_rawlen(lua, 1);
    luaL_argcheck(lua, size <= most_sorted, 1, "more than 4096 elements");
    if (size > 16) charge(lua, std::size_t(size) * 3); // comparing without a function happens in C
    return forward(lua);
}

int table_unpack(lua_State* lua) {
    luaL_checktype(lua, 1, LUA_TTABLE);
    const lua_Integer first = luaL_optinteger(lua, 2, 1);
    const lua_Integer last = luaL_opt(lua, luaL_checkinteger, 3, lua_Integer(lua_rawlen(lua, 1)));
    if (last >= first) {
        luaL_argcheck(lua, lua_Unsigned(last) - lua_Unsigned(first) < lua_Unsigned(most_unpacked), 1,
                      "more than 256 elements");
        charge(lua, std::size_t(last - first) / 4 + 1);
    }
    return forward(lua);
}

} // namespace wm::policy
