#include "policy/sandbox.h"

#include "policy/advice.h"
#include "policy/allow_list.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <lua.hpp>
#include <new>

namespace wm::policy {
namespace {

const char allowed_key = 0; // its address is the registry key

using Blocks = decltype(Meter::blocks);

void give(Blocks& blocks, void* block, std::size_t size) noexcept {
    if (Blocks::holds(size)) return blocks.give(block, size);
    std::free(block);
}

// As realloc; sizes are what was asked for.
void* resize(Blocks& blocks, void* block, std::size_t old_size, std::size_t new_size) noexcept {
    if (Blocks::same_list(old_size, new_size)) return block;
    if (!Blocks::holds(old_size) && !Blocks::holds(new_size)) return std::realloc(block, new_size);
    void* moved = Blocks::holds(new_size) ? blocks.take(new_size) : std::malloc(new_size);
    if (!moved || !block) return moved;
    std::memcpy(moved, block, std::min(old_size, new_size));
    give(blocks, block, old_size);
    return moved;
}

void* allocate(void* data, void* block, std::size_t old_size, std::size_t new_size) noexcept {
    Meter& m = *static_cast<Meter*>(data);
    if (!block) old_size = 0; // Lua passes the kind of a new object here
    if (new_size == 0) {
        m.used -= old_size;
        give(m.blocks, block, old_size);
        return nullptr;
    }
    if (new_size > old_size) {
        const auto growth = new_size - old_size;
        if (new_size > m.limits.block || m.used + growth > m.ceiling || m.churned + growth > m.limits.churn) {
            m.refused = true;
            return nullptr;
        }
        m.churned += growth;
    }
    void* moved = resize(m.blocks, block, old_size, new_size);
    if (moved) m.used += new_size - old_size; // unsigned arithmetic: a smaller size subtracts
    return moved;
}

// `level` is that of the Lua function: 0 in a hook, 1 in a C function it called.
void stop(lua_State* lua, int level) {
    meter(lua).exhausted = true;
    luaL_where(lua, level);
    lua_pushliteral(lua, "instruction limit reached");
    lua_concat(lua, 2);
    lua_error(lua);
}

void count(lua_State* lua, lua_Debug*) {
    Meter& m = meter(lua);
    m.work_left -= m.exhausted ? 0 : m.limits.step;
    if (m.work_left > 0) return;
    if (!m.exhausted) lua_sethook(lua, count, LUA_MASKCOUNT, 1); // whatever survives the error meets it again at once
    stop(lua, 0);
}

int open(lua_State* lua) {
    push_allowed(lua);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &allowed_key);
    return 0;
}

struct Allowing {
    const char* name;
    lua_CFunction function;
    void* data;
};

int allow_body(lua_State* lua) {
    const auto& allowing = *static_cast<Allowing*>(lua_touserdata(lua, 1));
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &allowed_key);
    lua_pushlightuserdata(lua, allowing.data);
    lua_pushcclosure(lua, allowing.function, 1);
    lua_setfield(lua, -2, allowing.name);
    return 0;
}

struct Loading {
    std::string_view chunk_name, source, entry;
    int& function;
    bool compiled = false;
};

void copy_fields(lua_State* lua, int from, int to) {
    lua_pushnil(lua);
    while (lua_next(lua, from)) {
        lua_pushvalue(lua, -2);
        lua_insert(lua, -2);
        lua_rawset(lua, to);
    }
}

// While the chunk runs, its globals go to `environment`. Afterwards they move to a table that the script can no
// longer name, and `environment`, empty again, only lets them be read.
int load_body(lua_State* lua) {
    auto& loading = *static_cast<Loading*>(lua_touserdata(lua, 1));
    const std::string name = "@" + std::string(loading.chunk_name);
    if (luaL_loadbufferx(lua, loading.source.data(), loading.source.size(), name.c_str(), "t") != LUA_OK)
        return lua_error(lua);
    loading.compiled = true;
    const int chunk = lua_gettop(lua);

    lua_rawgetp(lua, LUA_REGISTRYINDEX, &allowed_key);
    const int allowed = lua_gettop(lua);
    lua_newtable(lua);
    const int content = lua_gettop(lua);
    copy_fields(lua, allowed, content);
    push_frozen(lua, content);
    const int environment = lua_gettop(lua);
    lua_getmetatable(lua, environment);
    const int metatable = lua_gettop(lua);
    lua_getfield(lua, metatable, "__newindex");
    const int refusal = lua_gettop(lua);
    lua_pushnil(lua);
    lua_setfield(lua, metatable, "__newindex");

    lua_pushvalue(lua, environment);
    lua_setupvalue(lua, chunk, 1);
    lua_pushvalue(lua, chunk);
    lua_call(lua, 0, 0);

    copy_fields(lua, environment, content);
    lua_pushnil(lua);
    while (lua_next(lua, environment)) {
        lua_pop(lua, 1);
        lua_pushvalue(lua, -1);
        lua_pushnil(lua);
        lua_rawset(lua, environment);
    }
    lua_pushvalue(lua, refusal);
    lua_setfield(lua, metatable, "__newindex");

    if (loading.entry.empty()) return 0;
    lua_pushlstring(lua, loading.entry.data(), loading.entry.size());
    lua_rawget(lua, content);
    if (!lua_isfunction(lua, -1))
        return luaL_error(lua, "%s:1: expected a global function '%s', found %s", name.c_str() + 1,
                          std::string(loading.entry).c_str(), luaL_typename(lua, -1));
    loading.function = luaL_ref(lua, LUA_REGISTRYINDEX);
    return 0;
}

} // namespace

Meter& meter(lua_State* lua) { return **static_cast<Meter**>(lua_getextraspace(lua)); }

void charge(lua_State* lua, std::size_t units) {
    Meter& m = meter(lua);
    m.work_left -= std::int64_t(units);
    if (m.work_left <= 0) stop(lua, 1);
}

Sandbox::Sandbox(const Limits& limits) {
    meter_.limits = limits;
    lua_ = lua_newstate(allocate, &meter_);
    if (!lua_) throw std::bad_alloc();
    *static_cast<Meter**>(lua_getextraspace(lua_)) = &meter_;
    if (run(open, nullptr) != Outcome::ok) {
        lua_close(lua_);
        throw std::bad_alloc();
    }
    settle();
}

Sandbox::~Sandbox() { lua_close(lua_); }

Outcome Sandbox::run(Body body, void* data) noexcept {
    meter_.churned = 0;
    meter_.work_left = meter_.limits.instructions;
    meter_.exhausted = meter_.refused = meter_.raised = false;
    lua_sethook(lua_, count, LUA_MASKCOUNT, meter_.limits.step);
    lua_settop(lua_, 0);
    lua_pushcfunction(lua_, body);
    lua_pushlightuserdata(lua_, data);
    const int status = lua_pcall(lua_, 1, 0, 0);
    if (status == LUA_OK && !meter_.exhausted) return Outcome::ok;
    keep_message(status);
    if (meter_.exhausted) return Outcome::instructions;
    // The C library's buffers report a refused allocation as an ordinary error.
    return status == LUA_ERRMEM || meter_.refused ? Outcome::memory : Outcome::error;
}

Outcome Sandbox::load(std::string_view chunk_name, std::string_view source, std::string_view entry,
                      int& function) noexcept {
    Loading loading{chunk_name, source, entry, function};
    const auto outcome = run(load_body, &loading);
    compiled_ = loading.compiled;
    return outcome;
}

Outcome Sandbox::allow(const char* name, Body function, void* data) noexcept {
    Allowing allowing{name, function, data};
    return run(allow_body, &allowing);
}

void Sandbox::settle() noexcept {
    lua_gc(lua_, LUA_GCCOLLECT);
    meter_.ceiling = meter_.used + meter_.limits.bytes;
}

void Sandbox::keep_message(int status) noexcept {
    try {
        // Only a string: lua_tolstring would convert a number, and that allocates outside of a protected call.
        if (status < 0)
            message_ = "the host could not carry out the call";
        else if (lua_type(lua_, -1) == LUA_TSTRING)
            message_.assign(lua_tostring(lua_, -1), std::min<std::size_t>(lua_rawlen(lua_, -1), 400));
        else
            message_ = std::string("an error value that is no text but ") + luaL_typename(lua_, -1);
        if (!meter_.raised) message_ += advice(message_); // else it is the script's own text
        safe_message_ = meter_.raised ? meter_.raised_at.data() + std::string("the script raised an error") : message_;
    } catch (...) {
        message_.clear();
        safe_message_.clear();
    }
    lua_settop(lua_, 0);
}

} // namespace wm::policy
