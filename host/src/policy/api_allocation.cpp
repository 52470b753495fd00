#include "policy/engine.h"
#include "policy/values.h"

#include <algorithm>
#include <numeric>

namespace wm::policy {
namespace {

/// ## `allocation/NAME.lua`: `order(request, candidates)` returns `order, reason`
///
/// Called per layer and request, for targets that may be used now.

constexpr std::size_t longest_reason = 64; // bytes

bool good_reason(std::string_view reason) {
    const auto good = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    return !reason.empty() && reason.size() <= longest_reason && std::all_of(reason.begin(), reason.end(), good);
}

class OrderCall final : public Invocation {
    /// | `request.` | |
    /// |---|---|
    bool push_request_member(lua_State* lua, std::string_view name) const {
        if (name == "served_model") /// | `served_model` | public model name |
            return push(lua, request_.served_model);
        if (name == "protocol") /// | `protocol` | of the client, `openai-chat` |
            return push(lua, request_.protocol);
        if (name == "principal") /// | `principal` | who asks; `anonymous` where nobody identifies |
            return push(lua, request_.principal);
        if (name == "layer") /// | `layer` | name of the layer |
            return push(lua, request_.layer);
        if (name == "stream") /// | `stream` | boolean |
            return lua_pushboolean(lua, request_.stream), true;
        if (name == "text_bytes") /// | `text_bytes` | size of the prompt's text |
            return lua_pushinteger(lua, lua_Integer(request_.text_bytes)), true;
        return false;
    }

    ///
    /// | `candidates[i].` | |
    /// |---|---|
    /// | `index` | i |
    /// | `backend`, `credential`, `upstream_model` | names that make up the target |
    /// | `random` | drawn for this request and candidate, uniform in [0, 1) |
    bool push_candidate_member(lua_State* lua, std::size_t index, std::string_view name) const {
        if (index >= candidates_.size()) return false;
        const auto& candidate = candidates_[index];
        if (name == "backend") return push(lua, candidate.backend);
        if (name == "credential") return push(lua, candidate.credential);
        if (name == "upstream_model") return push(lua, candidate.upstream_model);
        return false;
    }

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
        return index == 0 ? push_request_member(lua, name) : push_candidate_member(lua, std::size_t(index - 1), name);
    }

    ///
    /// | answer | |
    /// |---|---|
    /// | `order` | list that holds each index once, first to be tried first |
    /// | `reason` | why, for records and metadata: `a-z`, `0-9`, `-`, at most 64 bytes; `single-target`, `random` |
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
        if (!word || !good_reason(*word))
            return "order: expected a reason as the second result, a-z, 0-9 and -, at most 64";
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

/// Default: the configured order, reason `configured`.
Ordering Policies::order(std::string_view strategy, const AllocationRequest& request,
                         std::span<const Candidate> candidates) {
    OrderCall call(request, candidates);
    if (state_->invoke(strategy, call)) return {std::move(call.order), std::move(call.reason), true};
    Ordering configured;
    configured.order.resize(candidates.size());
    std::iota(configured.order.begin(), configured.order.end(), 0u);
    configured.reason = "configured";
    return configured;
}

} // namespace wm::policy
