#include "policy/describe.h"

#include <cstdio>
#include <lua.hpp>
#include <string_view>

namespace wm::policy {
namespace {

constexpr std::size_t longest_text = 60;
constexpr int most_fields = 8;

void append_text(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text.substr(0, longest_text))
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    out += text.size() > longest_text ? "...\"" : "\"";
}

void append_number(std::string& out, lua_State* lua, int index) {
    if (lua_isinteger(lua, index)) {
        out += std::to_string(lua_tointeger(lua, index));
        return;
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.14g", lua_tonumber(lua, index));
    out += text;
}

void append(std::string& out, lua_State* lua, int index, bool nested);

void append_table(std::string& out, lua_State* lua, int index) {
    int fields = 0;
    out += '{';
    lua_pushnil(lua);
    while (lua_next(lua, index)) {
        out += fields ? ", " : " ";
        if (fields++ == most_fields) {
            out += "...";
            lua_pop(lua, 2);
            break;
        }
        const int value = lua_gettop(lua);
        const bool listed = lua_isinteger(lua, value - 1) && lua_tointeger(lua, value - 1) == fields;
        if (lua_type(lua, value - 1) == LUA_TSTRING)
            out.append(lua_tostring(lua, value - 1)).append(" = ");
        else if (!listed)
            out += "[...] = ";
        append(out, lua, value, true);
        lua_pop(lua, 1);
    }
    out += fields ? " }" : "}";
}

void append(std::string& out, lua_State* lua, int index, bool nested) {
    switch (lua_type(lua, index)) {
    case LUA_TSTRING: {
        std::size_t size = 0;
        const char* data = lua_tolstring(lua, index, &size);
        return append_text(out, {data, size});
    }
    case LUA_TNUMBER: return append_number(out, lua, index);
    case LUA_TBOOLEAN: out += lua_toboolean(lua, index) ? "true" : "false"; return;
    case LUA_TTABLE:
        if (!nested) return append_table(out, lua, index);
        out += "{...}";
        return;
    default: out += lua_typename(lua, lua_type(lua, index));
    }
}

} // namespace

std::string describe(lua_State* lua, int first, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) {
        out += i ? ", " : "";
        append(out, lua, first + i, false);
    }
    return out;
}

} // namespace wm::policy
