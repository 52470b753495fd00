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

    int push_arguments(lua_State* lua) override {
        lua_createtable(lua, 0, 6);
        set(lua, "served_model", request_.served_model);
        set(lua, "protocol", request_.protocol);
        set(lua, "principal", request_.principal);
        set(lua, "layer", request_.layer);
        set(lua, "stream", request_.stream);
        set(lua, "text_bytes", lua_Integer(request_.text_bytes));
        lua_createtable(lua, int(candidates_.size()), 0);
        lua_Integer index = 0;
        for (const auto& candidate : candidates_) {
            lua_createtable(lua, 0, 4);
            set(lua, "backend", candidate.backend);
            set(lua, "credential", candidate.credential);
            set(lua, "upstream_model", candidate.upstream_model);
            set(lua, "random", candidate.random);
            lua_rawseti(lua, -2, ++index);
        }
        return 2;
    }

    const char* read_results(lua_State* lua) override {
        const char* const wrong = "order: expected each candidate's index exactly once";
        const int list = lua_gettop(lua) - 1;
        if (!lua_istable(lua, list)) return "order: expected a list as the first result";
        if (lua_rawlen(lua, list) != candidates_.size()) return wrong;
        std::vector<bool> seen(candidates_.size());
        order.reserve(candidates_.size());
        for (lua_Integer i = 1; i <= lua_Integer(candidates_.size()); ++i) {
            lua_rawgeti(lua, list, i);
            int exact = 0;
            const lua_Integer index = lua_type(lua, -1) == LUA_TNUMBER ? lua_tointegerx(lua, -1, &exact) : 0;
            lua_pop(lua, 1);
            if (!exact || index < 1 || index > lua_Integer(seen.size()) || seen[std::size_t(index - 1)]) return wrong;
            seen[std::size_t(index - 1)] = true;
            order.push_back(std::uint32_t(index - 1));
        }
        const auto word = text_at(lua, -1);
        if (!word || !good_reason(*word)) return "order: expected a reason as the second result, a-z, 0-9 and -, at most 64";
        reason = *word;
        return nullptr;
    }

    std::vector<std::uint32_t> order;
    std::string reason;

  private:
    const AllocationRequest& request_;
    std::span<const Candidate> candidates_;
};

} // namespace

Ordering Policies::order(std::string_view strategy, const AllocationRequest& request, std::span<const Candidate> candidates) {
    OrderCall call(request, candidates);
    if (state_->invoke(strategy, call)) return {std::move(call.order), std::move(call.reason), true};
    Ordering configured;
    configured.order.resize(candidates.size());
    std::iota(configured.order.begin(), configured.order.end(), 0u);
    configured.reason = "configured";
    return configured;
}

} // namespace wm::policy
