#include "policy/json_table.h"

#include <array>
#include <lua.hpp>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace wm::policy {
namespace {

// Builds on the Lua stack: per open object its table and, between Key and value, the key.
class Builder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Builder> {
  public:
    explicit Builder(lua_State* lua) : lua_(lua) {}

    bool Null() {
        if (in_object())
            lua_pop(lua_, 1);
        else if (depth_)
            ++frames_[depth_ - 1].next;
        else
            lua_pushnil(lua_);
        return counted();
    }
    bool Bool(bool value) { return lua_pushboolean(lua_, value), store(); }
    bool Int(int value) { return lua_pushinteger(lua_, value), store(); }
    bool Uint(unsigned value) { return lua_pushinteger(lua_, value), store(); }
    bool Int64(std::int64_t value) { return lua_pushinteger(lua_, value), store(); }
    bool Uint64(std::uint64_t value) {
        if (value <= std::uint64_t(LUA_MAXINTEGER))
            lua_pushinteger(lua_, lua_Integer(value));
        else
            lua_pushnumber(lua_, double(value));
        return store();
    }
    bool Double(double value) { return lua_pushnumber(lua_, value), store(); }
    bool String(const char* data, rapidjson::SizeType size, bool) { return lua_pushlstring(lua_, data, size), store(); }
    bool Key(const char* data, rapidjson::SizeType size, bool) { return lua_pushlstring(lua_, data, size), true; }
    bool StartObject() { return open(true); }
    bool StartArray() { return open(false); }
    bool EndObject(rapidjson::SizeType) { return --depth_, store(); }
    bool EndArray(rapidjson::SizeType) { return --depth_, store(); }

  private:
    struct Frame {
        bool object = false;
        lua_Integer next = 1; // index of an array's next element
    };

    bool in_object() const { return depth_ && frames_[depth_ - 1].object; }
    bool counted() { return ++values_ <= JsonTable::most_values; }
    bool open(bool object) {
        if (depth_ == JsonTable::deepest) return false;
        lua_createtable(lua_, object ? 0 : 4, object ? 4 : 0);
        frames_[depth_++] = {object, 1};
        return true;
    }
    // The value on top goes into the container below it.
    bool store() {
        if (in_object())
            lua_rawset(lua_, -3);
        else if (depth_)
            lua_rawseti(lua_, -2, frames_[depth_ - 1].next++);
        return counted();
    }

    lua_State* lua_;
    std::array<Frame, JsonTable::deepest> frames_{};
    std::size_t depth_ = 0, values_ = 0;
};

} // namespace

struct JsonTable::Parser {
    rapidjson::Reader reader;
};

JsonTable::JsonTable() : parser_(std::make_unique<Parser>()) {}
JsonTable::~JsonTable() = default;

void JsonTable::push(lua_State* lua, std::string_view document) {
    const int top = lua_gettop(lua);
    luaL_checkstack(lua, int(2 * deepest + 8), nullptr);
    if (!document.empty() && document.size() <= longest) {
        Builder builder(lua);
        rapidjson::MemoryStream stream(document.data(), document.size());
        // Encoding is not checked: Lua's strings are bytes.
        if (parser_->reader.Parse<rapidjson::kParseIterativeFlag>(stream, builder)) return;
        lua_settop(lua, top);
    }
    lua_pushnil(lua);
}

} // namespace wm::policy
