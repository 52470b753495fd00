#include "policy/fields.h"

#include <algorithm>
#include <cstdlib>

namespace wm::policy {

Fields::Fields(lua_State* lua, int index, const char* what, std::initializer_list<std::string_view> known)
    : lua_(lua), index_(lua_absindex(lua, index)), what_(what) {
    if (!lua_istable(lua, index_)) luaL_error(lua, "%s: expected a table, found %s", what, luaL_typename(lua, index_));
    lua_pushnil(lua);
    while (lua_next(lua, index_)) {
        lua_pop(lua, 1);
        const bool named = lua_type(lua, -1) == LUA_TSTRING;
        if (named && std::find(known.begin(), known.end(), std::string_view(lua_tostring(lua, -1))) == known.end())
            luaL_error(lua, "%s: unknown field '%s'", what, lua_tostring(lua, -1));
    }
}

int Fields::get(const char* name) const {
    lua_pushstring(lua_, name);
    return lua_rawget(lua_, index_);
}

void Fields::wrong(const char* name, const char* expected) const {
    luaL_error(lua_, "%s.%s: expected %s, found %s", what_, name, expected, luaL_typename(lua_, -1));
    std::abort(); // luaL_error does not return
}

bool Fields::has(const char* name) const {
    const bool found = get(name) != LUA_TNIL;
    lua_pop(lua_, 1);
    return found;
}

int Fields::table(const char* name) const {
    if (get(name) != LUA_TTABLE) wrong(name, "a table");
    return lua_gettop(lua_);
}

std::string_view Fields::text(const char* name) const {
    const int type = get(name);
    if (type != LUA_TSTRING && type != LUA_TNIL) wrong(name, "a string");
    std::size_t size = 0;
    const char* data = type == LUA_TNIL ? "" : lua_tolstring(lua_, -1, &size);
    lua_pop(lua_, 1);
    return {data, size};
}

bool Fields::flag(const char* name) const {
    const int type = get(name);
    if (type != LUA_TBOOLEAN && type != LUA_TNIL) wrong(name, "a boolean");
    const bool value = lua_toboolean(lua_, -1);
    lua_pop(lua_, 1);
    return value;
}

double Fields::number(const char* name) const {
    const int type = get(name);
    if (type != LUA_TNUMBER && type != LUA_TNIL) wrong(name, "a number");
    const double value = lua_tonumber(lua_, -1);
    lua_pop(lua_, 1);
    return value;
}

std::optional<std::int64_t> Fields::integer(const char* name) const {
    if (get(name) == LUA_TNIL) return lua_pop(lua_, 1), std::nullopt;
    int exact = 0;
    const auto value = lua_tointegerx(lua_, -1, &exact);
    if (!exact || lua_type(lua_, -1) != LUA_TNUMBER) wrong(name, "a whole number");
    lua_pop(lua_, 1);
    return value;
}

} // namespace wm::policy
