#include "policy/text_functions.h"

#include "base/text.h"
#include "policy/meter.h"

#include <array>
#include <cstring>
#include <lua.hpp>

namespace wm::policy {
namespace {

constexpr std::size_t longest_needle = 256, longest_repeat = 64u << 10, longest_format = 4u << 10;
constexpr std::size_t searched_per_unit = 16, copied_per_unit = 128; // bytes that take as long as an instruction

std::string_view text_argument(lua_State* lua, int index) {
    std::size_t size = 0;
    const char* data = luaL_checklstring(lua, index, &size);
    return {data, size};
}

// Knuth-Morris-Pratt: a naive search of a hostile text is quadratic.
bool contains(std::string_view text, std::string_view needle) {
    if (needle.empty()) return true;
    if (needle.size() > text.size()) return false;
    std::array<std::uint16_t, longest_needle> back;
    back[0] = 0;
    for (std::size_t i = 1, k = 0; i < needle.size(); ++i) {
        while (k && lower(needle[i]) != lower(needle[k])) k = back[k - 1];
        if (lower(needle[i]) == lower(needle[k])) ++k;
        back[i] = std::uint16_t(k);
    }
    std::size_t k = 0;
    for (const char c : text) {
        while (k && lower(c) != lower(needle[k])) k = back[k - 1];
        if (lower(c) == lower(needle[k]) && ++k == needle.size()) return true;
    }
    return false;
}

} // namespace

int text_contains(lua_State* lua) {
    bool found = false;
    if (!lua_isnoneornil(lua, 1)) {
        const auto text = text_argument(lua, 1);
        const int arguments = lua_gettop(lua);
        luaL_argcheck(lua, arguments > 1, 2, "a text to look for expected");
        for (int i = 2; i <= arguments && !found; ++i) {
            const auto needle = text_argument(lua, i);
            luaL_argcheck(lua, needle.size() <= longest_needle, i, "longer than 256 bytes");
            charge(lua, (text.size() + needle.size()) / searched_per_unit + 1);
            found = contains(text, needle);
        }
    }
    lua_pushboolean(lua, found);
    return 1;
}

int text_find(lua_State* lua) {
    const auto text = text_argument(lua, 1), needle = text_argument(lua, 2);
    lua_Integer start = luaL_optinteger(lua, 3, 1);
    if (start < 0) start = std::max<lua_Integer>(1, start + lua_Integer(text.size()) + 1);
    if (start == 0) start = 1;
    if (start > lua_Integer(text.size()) + 1) return lua_pushnil(lua), 1;
    charge(lua, (text.size() + needle.size()) / searched_per_unit + 1);
    const auto rest = text.substr(std::size_t(start - 1));
    // memmem is linear; string_view::find is not.
    const void* hit = needle.empty() ? rest.data() : memmem(rest.data(), rest.size(), needle.data(), needle.size());
    if (!hit) return lua_pushnil(lua), 1;
    const auto at = lua_Integer(static_cast<const char*>(hit) - text.data()) + 1;
    lua_pushinteger(lua, at);
    lua_pushinteger(lua, at + lua_Integer(needle.size()) - 1);
    return 2;
}

int text_rep(lua_State* lua) {
    const auto text = text_argument(lua, 1);
    const lua_Integer times = luaL_checkinteger(lua, 2);
    std::size_t gap_size = 0;
    const char* gap = luaL_optlstring(lua, 3, "", &gap_size);
    if (times <= 0 || text.size() + gap_size == 0) return lua_pushliteral(lua, ""), 1;
    luaL_argcheck(lua, std::size_t(times) <= longest_repeat / (text.size() + gap_size), 2, "result longer than 64 KiB");
    charge(lua, std::size_t(times) * (text.size() + gap_size) / copied_per_unit + 1);
    luaL_Buffer out;
    luaL_buffinit(lua, &out);
    for (lua_Integer i = 0; i < times; ++i) {
        if (i) luaL_addlstring(&out, gap, gap_size);
        luaL_addlstring(&out, text.data(), text.size());
    }
    luaL_pushresult(&out);
    return 1;
}

int text_format(lua_State* lua) {
    const auto format = text_argument(lua, 1);
    luaL_argcheck(lua, format.size() <= longest_format, 1, "format longer than 4 KiB");
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%') continue;
        i = format.find_first_not_of("-+ #0123456789.", i + 1);
        if (i == format.npos) break;
        luaL_argcheck(lua, format[i] != 'p' && format[i] != 'q', 1, "conversion not allowed");
    }
    const int arguments = lua_gettop(lua);
    std::size_t size = format.size();
    for (int i = 2; i <= arguments; ++i) size += lua_type(lua, i) == LUA_TSTRING ? lua_rawlen(lua, i) : 16;
    charge(lua, size / copied_per_unit + 1);
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, arguments, 1);
    return 1;
}

} // namespace wm::policy
