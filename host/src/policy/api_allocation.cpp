#include "policy/engine.h"
#include "policy/values.h"

#include <algorithm>
#include <numeric>

namespace wm::policy {
namespace {

constexpr std::size_t longest_reason = 64;

bool good_reason(std::string_view reason) {
    const auto good = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    return !reason.empty() && reason.size() <= longest_reason && std::all_of(reason.begin(), reason.end(), good);
}

// order(request, candidates) -> order, reason
class OrderCall final : public Invocation {
  public:
    OrderCall(const AllocationRequest& request, std::span<const Candidate> candidates)
        : Invocation(2), request_(request), candidates_(candidates) {}

    int push_arguments(lua_State* lua, LazySource* const* source) override {
        lua_newtable(lua);
        make_lazy(lua, source);
        lua_createtable(lua, int(candidates_.size()), 0);
        lua_Integer index = 0;
        for (const auto& candidate : candidates_) {
            lua_createtable(lua, 0, 2);
            set(lua, "index", ++index);
            set(lua, "random", candidate.random);
            make_lazy(lua, source);
            lua_rawseti(lua, -2, index);
        }
        return 2;
    }

    bool push_member(lua_State* lua, std::int64_t index, std::string_view name) override {
        if (index == 0)
            return push_request_member(lua, name);
        if (index < 0 || std::uint64_t(index) > candidates_.size())
            return false;
        const auto& candidate = candidates_[std::size_t(index - 1)];
        if (name == "backend")
            return push(lua, candidate.backend);
        if (name == "credential")
            return push(lua, candidate.credential);
        if (name == "upstream_model")
            return push(lua, candidate.upstream_model);
        return false;
    }

    const char* read_results(lua_State* lua) override {
        const char* const wrong = "order: expected each candidate's index exactly once";
        const int list = lua_gettop(lua) - 1;
        if (!lua_istable(lua, list))
            return "order: expected a list as the first result";
        if (lua_rawlen(lua, list) != candidates_.size())
            return wrong;
        std::vector<bool> seen(candidates_.size());
        order.reserve(candidates_.size());
        for (lua_Integer i = 1; i <= lua_Integer(candidates_.size()); ++i) {
            lua_rawgeti(lua, list, i);
            int exact = 0;
            const lua_Integer index = lua_type(lua, -1) == LUA_TNUMBER ? lua_tointegerx(lua, -1, &exact) : 0;
            lua_pop(lua, 1);
            if (!exact || index < 1 || index > lua_Integer(seen.size()) || seen[std::size_t(index - 1)])
                return wrong;
            seen[std::size_t(index - 1)] = true;
            order.push_back(std::uint32_t(index - 1));
        }
        const auto word = text_at(lua, -1);
        if (!word || !good_reason(*word))
            return "order: expected a reason as the second result, a-z, 0-9 and -, at most 64";
        reason = *word;
        return nullptr;
    }

    std::vector<std::uint32_t> order;
    std::string reason;

  private:
    bool push_request_member(lua_State* lua, std::string_view name) const {
        if (name == "served_model")
            return push(lua, request_.served_model);
        if (name == "protocol")
            return push(lua, request_.protocol);
        if (name == "principal")
            return push(lua, request_.principal);
        if (name == "layer")
            return push(lua, request_.layer);
        if (name == "stream")
            return lua_pushboolean(lua, request_.stream), true;
        if (name == "text_bytes")
            return lua_pushinteger(lua, lua_Integer(request_.text_bytes)), true;
        return false;
    }

    const AllocationRequest& request_;
    std::span<const Candidate> candidates_;
};

} // namespace

Ordering Policies::order(std::string_view strategy, const AllocationRequest& request,
                         std::span<const Candidate> candidates) {
    OrderCall call(request, candidates);
    if (state_->invoke(strategy, call))
        return {std::move(call.order), std::move(call.reason), true};
    Ordering configured;
    configured.order.resize(candidates.size());
    std::iota(configured.order.begin(), configured.order.end(), 0u);
    configured.reason = "configured";
    return configured;
}

} // namespace wm::policy
