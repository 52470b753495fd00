#include "policy/lazy.h"

#include "policy/meter.h"

#include <lua.hpp>

namespace wm::policy {
namespace {

const char metatable_key = 0; // its address is the registry key

int read_member(lua_State* lua) {
    auto* const source = *static_cast<LazySource* const*>(lua_touserdata(lua, lua_upvalueindex(1)));
    if (!source || lua_type(lua, 2) != LUA_TSTRING) return 0;
    lua_pushliteral(lua, "index");
    lua_rawget(lua, 1);
    const auto index = lua_tointeger(lua, -1);
    std::size_t size = 0;
    const char* name = lua_tolstring(lua, 2, &size);
    if (!source->push_member(lua, index, {name, size}))
        return meter(lua).limits.strict ? luaL_error(lua, "there is no member '%s'; see API.md", name) : 0;
    if (lua_istable(lua, -1)) { // made once; a scalar is cheaper to make again than to keep
        lua_pushvalue(lua, 2);
        lua_pushvalue(lua, -2);
        lua_rawset(lua, 1);
    }
    return 1;
}

} // namespace

void make_lazy(lua_State* lua, LazySource* const* source) {
    if (lua_rawgetp(lua, LUA_REGISTRYINDEX, &metatable_key) == LUA_TNIL) {
        lua_pop(lua, 1);
        lua_createtable(lua, 0, 1);
        lua_pushlightuserdata(lua, const_cast<void*>(static_cast<const void*>(source)));
        lua_pushcclosure(lua, read_member, 1);
        lua_setfield(lua, -2, "__index");
        lua_pushvalue(lua, -1);
        lua_rawsetp(lua, LUA_REGISTRYINDEX, &metatable_key);
    }
    lua_setmetatable(lua, -2);
}

} // namespace wm::policy
