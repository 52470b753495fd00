#include "policy/engine.h"
#include "policy/values.h"

#include <algorithm>

namespace wm::policy {
namespace {

constexpr std::string_view queue = "allocation/queue";
constexpr std::size_t longest_turn = 256;
constexpr lua_Integer most_weight = 1000;

/// ## `allocation/queue.lua`: `rank(request, gate)` returns a table
///
/// Called when a request has to wait for a permit.

class RankCall final : public Invocation {
    /// | `request.` | |
    /// |---|---|
    bool push_request_member(lua_State* lua, std::string_view name) const {
        if (name == "priority") /// | `priority` | `high`, `medium`, `low`: asked for, within what the client may ask |
            return push(lua, request_.priority);
        if (name == "principal") /// | `principal` | who asks; `anonymous` where nobody identifies |
            return push(lua, request_.principal);
        if (name == "served_model") /// | `served_model` | public model name |
            return push(lua, request_.served_model);
        if (name == "protocol") /// | `protocol` | of the client, `openai-chat` |
            return push(lua, request_.protocol);
        if (name == "stream") /// | `stream` | boolean |
            return lua_pushboolean(lua, request_.stream), true;
        if (name == "text_bytes") /// | `text_bytes` | size of the prompt's text |
            return lua_pushinteger(lua, lua_Integer(request_.text_bytes)), true;
        return false;
    }

    ///
    /// | `gate.` | |
    /// |---|---|
    bool push_gate_member(lua_State* lua, std::string_view name) const {
        if (name == "name") /// | `name` | of what is limited: the backend |
            return push(lua, gate_.name);
        if (name == "order") /// | `order` | `fair` or `fifo`, as configured |
            return push(lua, gate_.order);
        if (name == "promote_after_ms") { /// | `promote_after_ms` | as configured; nil: never |
            if (gate_.promote_after)
                lua_pushinteger(lua, lua_Integer(gate_.promote_after->count()));
            else
                lua_pushnil(lua);
            return true;
        }
        if (name == "limit") /// | `limit` | permits there are |
            return lua_pushinteger(lua, lua_Integer(gate_.limit)), true;
        if (name == "waiting") /// | `waiting` | requests that wait already |
            return lua_pushinteger(lua, lua_Integer(gate_.waiting)), true;
        return false;
    }

  public:
    RankCall(const WaitingRequest& request, const GateView& gate) : Invocation(1), request_(request), gate_(gate) {}

    int push_arguments(lua_State* lua, LazySource* const* source) override {
        lua_newtable(lua);
        make_lazy(lua, source);
        lua_createtable(lua, 0, 1);
        set(lua, "index", lua_Integer(1));
        make_lazy(lua, source);
        return 2;
    }

    bool push_member(lua_State* lua, std::int64_t index, std::string_view name) override {
        return index == 0 ? push_request_member(lua, name) : push_gate_member(lua, name);
    }

    ///
    /// | answer | |
    /// |---|---|
    const char* read_results(lua_State* lua) override {
        if (!lua_istable(lua, -1)) return "rank: expected a table";
        const int table = lua_gettop(lua);
        const auto field = [&](const char* name) { return push_field(lua, table, name); };
        expect_members(lua, table, {"class", "turn", "weight", "promote_after_ms"});
        /// | `class` | `high`, `medium`, `low`: a class goes before the next whenever it has anyone |
        field("class");
        const auto word = text_at(lua, -1);
        const auto found = std::find(rank_classes.begin(), rank_classes.end(), word.value_or(""));
        if (found == rank_classes.end()) return "rank: expected high, medium or low in 'class'";
        /// | `turn` | whose turn is used, at most 256 bytes: inside a class each goes in its turn; absent: the
        /// principal's |
        if (field("turn") != LUA_TNIL) {
            const auto turn = text_at(lua, -1);
            if (!turn || turn->size() > longest_turn)
                return "rank: expected a string of at most 256 bytes, or nil, in 'turn'";
            result.turn = *turn;
        } else {
            result.turn = request_.principal;
        }
        /// | `weight` | turns beside one of weight 1, 1 to 1000; absent: 1 |
        if (field("weight") != LUA_TNIL) {
            int exact = 0;
            const lua_Integer weight = lua_type(lua, -1) == LUA_TNUMBER ? lua_tointegerx(lua, -1, &exact) : 0;
            if (!exact || weight < 1 || weight > most_weight)
                return "rank: expected a whole number from 1 to 1000, or nil, in 'weight'";
            result.weight = unsigned(weight);
        }
        /// | `promote_after_ms` | whenever it has waited so long it rises a class, 1 ms to 24 hours; absent: never |
        if (field("promote_after_ms") != LUA_TNIL) {
            const auto delay = delay_at(lua, -1);
            if (!delay || *delay == 0)
                return "rank: expected milliseconds from 1 to 24 hours, or nil, in 'promote_after_ms'";
            result.promote_after = Millis(*delay);
        }
        result.priority_class = unsigned(found - rank_classes.begin());
        result.from_policy = true;
        return nullptr;
    }
    ///
    /// Default: the class of the priority, the principal's turn, weight 1, never promoted.

    Rank result;

  private:
    const WaitingRequest& request_;
    const GateView& gate_;
};

} // namespace

Rank Policies::rank(const WaitingRequest& request, const GateView& gate) {
    RankCall call(request, gate);
    if (state_->invoke(queue, call)) return std::move(call.result);
    const auto found = std::find(rank_classes.begin(), rank_classes.end(), request.priority);
    Rank plain;
    plain.priority_class = found == rank_classes.end() ? 1u : unsigned(found - rank_classes.begin());
    plain.turn = request.principal;
    return plain;
}

} // namespace wm::policy
