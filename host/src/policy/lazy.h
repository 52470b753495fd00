#pragma once
// Members of an argument table that are only made when a policy reads them: most policies read few of them, and a
// header table costs more than the whole rest of a call.
#include <cstdint>
#include <string_view>

struct lua_State;

namespace wm::policy {

class LazySource {
  public:
    virtual ~LazySource() = default;

    // Pushes member `name` of the table whose `index` field is `index` (0: it has none); false: it has no such member.
    virtual bool push_member(lua_State* lua, std::int64_t index, std::string_view name) = 0;
};

// Makes the table on top ask `*source` for what it lacks. `source` is a place that outlives the Lua state and holds
// null between calls, so that a table kept by a script meets nothing that is gone.
void make_lazy(lua_State* lua, LazySource* const* source);

} // namespace wm::policy
