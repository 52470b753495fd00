#pragma once
// Reads a Lua table that a person wrote: every field is known and of its kind, or an error says which is not.
// Everything here raises Lua errors.
#include <cstdint>
#include <initializer_list>
#include <lua.hpp>
#include <optional>
#include <string_view>

namespace wm::policy {

class Fields {
  public:
    // The table stands at `index` and stays there.
    Fields(lua_State* lua, int index, const char* what, std::initializer_list<std::string_view> known);

    bool has(const char* name) const;
    int table(const char* name) const;             // pushes it, gives its index
    std::string_view text(const char* name) const; // valid while the table holds it; absent: empty
    bool flag(const char* name) const;             // absent: false
    double number(const char* name) const;         // absent: 0
    std::optional<std::int64_t> integer(const char* name) const;

  private:
    int get(const char* name) const;
    [[noreturn]] void wrong(const char* name, const char* expected) const;

    lua_State* lua_;
    int index_;
    const char* what_;
};

} // namespace wm::policy
