#include "policy/allow_list.h"

#include "policy/meter.h"
#include "policy/table_functions.h"
#include "policy/text_functions.h"

#include <cstdio>
#include <initializer_list>
#include <lua.hpp>

namespace wm::policy {
namespace {

// Like Lua's, but the meter learns that the text is the script's: it may hold request data and is not logged.
int raise(lua_State* lua) {
    lua_settop(lua, 1);
    luaL_where(lua, 1);
    Meter& m = meter(lua);
    m.raised = true;
    std::snprintf(m.raised_at.data(), m.raised_at.size(), "%s", lua_tostring(lua, 2));
    if (lua_type(lua, 1) != LUA_TSTRING) return lua_settop(lua, 1), lua_error(lua);
    lua_insert(lua, 1);
    lua_concat(lua, 2);
    return lua_error(lua);
}

int check(lua_State* lua) {
    luaL_checkany(lua, 1);
    if (lua_toboolean(lua, 1)) return lua_gettop(lua);
    lua_remove(lua, 1);
    if (lua_gettop(lua) == 0) lua_pushliteral(lua, "assertion failed!");
    return raise(lua);
}

int refuse_write(lua_State* lua) { return luaL_error(lua, "globals are frozen: a policy may only set its own locals"); }

// Copies fields of the table at `from` into the table on top.
void pick(lua_State* lua, int from, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        lua_getfield(lua, from, name);
        lua_setfield(lua, -2, name);
    }
}

// Sets field `name` of the table on top to `function` with Lua's own (from the table at `from`) as its upvalue.
void wrap(lua_State* lua, int from, const char* name, lua_CFunction function) {
    lua_getfield(lua, from, name);
    lua_pushcclosure(lua, function, 1);
    lua_setfield(lua, -2, name);
}

void set(lua_State* lua, const char* name, lua_CFunction function) {
    lua_pushcfunction(lua, function);
    lua_setfield(lua, -2, name);
}

// Leaves what `opener` returns on the stack and gives its index.
int open(lua_State* lua, lua_CFunction opener) {
    lua_pushcfunction(lua, opener);
    lua_call(lua, 0, 1);
    return lua_gettop(lua);
}

// Freezes the table on top and stores the frozen view as `name` of the table at `into`.
void seal(lua_State* lua, int into, const char* name) {
    push_frozen(lua, lua_gettop(lua));
    lua_setfield(lua, into, name);
}

void add_string(lua_State* lua, int allowed) {
    const int all = open(lua, luaopen_string);
    lua_newtable(lua);
    pick(lua, all, {"byte", "char", "len", "lower", "reverse", "sub", "upper"});
    set(lua, "find", text_find);
    set(lua, "rep", text_rep);
    wrap(lua, all, "format", text_format);
    // The metatable that ("x"):sub() goes through leads to the same subset.
    lua_pushliteral(lua, "");
    lua_createtable(lua, 0, 1);
    lua_pushvalue(lua, -3);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
    lua_pop(lua, 1);
    seal(lua, allowed, "string");
}

void add_table(lua_State* lua, int allowed) {
    const int all = open(lua, luaopen_table);
    lua_newtable(lua);
    for (const char* name : {"concat", "insert", "remove"}) wrap(lua, all, name, table_charged);
    wrap(lua, all, "sort", table_sort);
    wrap(lua, all, "unpack", table_unpack);
    seal(lua, allowed, "table");
}

void add_math(lua_State* lua, int allowed) {
    const int all = open(lua, luaopen_math);
    lua_newtable(lua);
    pick(lua, all, {"abs",  "acos", "asin", "atan", "ceil",       "cos",  "deg",        "exp",  "floor",
                    "fmod", "huge", "log",  "max",  "maxinteger", "min",  "mininteger", "modf", "pi",
                    "rad",  "sin",  "sqrt", "tan",  "tointeger",  "type", "ult"});
    seal(lua, allowed, "math");
}

} // namespace

void push_frozen(lua_State* lua, int content) {
    lua_newtable(lua);
    lua_createtable(lua, 0, 2);
    lua_pushvalue(lua, content);
    lua_setfield(lua, -2, "__index");
    lua_pushcfunction(lua, refuse_write);
    lua_setfield(lua, -2, "__newindex");
    lua_setmetatable(lua, -2);
}

/// ## What a script may call
///
void push_allowed(lua_State* lua) {
    lua_newtable(lua);
    const int allowed = lua_gettop(lua);
    const int base = open(lua, luaopen_base);
    lua_pushvalue(lua, allowed);
    /// - `assert error ipairs next pairs rawequal rawlen select tonumber tostring type`
    pick(lua, base, {"ipairs", "next", "pairs", "rawequal", "rawlen", "select", "tonumber", "tostring", "type"});
    set(lua, "error", raise);
    set(lua, "assert", check);
    set(lua, "contains", text_contains);
    add_math(lua, allowed); /// - `math` without `random` and `randomseed`
    /// - `string`: `byte char len lower reverse sub upper`; `find(text, needle [, start])`, plain; `rep`, at most
    ///   64 KiB; `format` without `%p` and `%q`, format at most 4 KiB. No patterns
    add_string(lua, allowed);
    /// - `table`: `concat insert remove`; `sort`, at most 4096 elements; `unpack`, at most 256
    add_table(lua, allowed);
    /// - `contains(text, needle, ...)`: whether any needle (at most 256 bytes) occurs, ASCII case ignored; false if
    ///   `text` is nil
    ///
    /// Strings are not numbers: `"1" + 1` is an error. There is no `pcall`, no metatable, no coroutine, no `load` and
    /// no `require`.
    // Lua's base library went into the state's own globals; nothing may find it there.
    lua_newtable(lua);
    lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_settop(lua, allowed);
}

} // namespace wm::policy
