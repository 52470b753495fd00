#include "policy/engine.h"
#include "policy/json_table.h"
#include "policy/values.h"

#include <algorithm>

namespace wm::policy {
namespace {

constexpr std::string_view generic = "failure/generic", schedules = "failure/schedules";
constexpr std::size_t longest_text = 4u << 10, most_headers = 128;
constexpr Backoff default_backoff{.suspended = false, .delay_ms = 60'000, .from_policy = false};

bool push_delay(lua_State* lua, std::optional<std::int64_t> ms) {
    if (ms)
        lua_pushinteger(lua, std::clamp<std::int64_t>(*ms, 0, longest_delay_ms));
    else
        lua_pushnil(lua);
    return true;
}

int no_such_header(lua_State* lua) {
    const auto name = text_at(lua, 2);
    const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (name && std::any_of(name->begin(), name->end(), is_upper))
        return luaL_error(lua, "headers: expected a name in lower case, found '%s'", name->data());
    return 0;
}

// Repeated headers become one, joined as HTTP allows, but not without end.
void push_headers(lua_State* lua, std::span<const PairView> headers) {
    const auto count = std::min(headers.size(), most_headers);
    lua_createtable(lua, 0, int(count));
    for (const auto& header : headers.first(count)) {
        const auto value = header.value.substr(0, longest_text);
        lua_pushlstring(lua, header.name.data(), header.name.size());
        lua_pushvalue(lua, -1);
        if (lua_rawget(lua, -3) == LUA_TSTRING) {
            if (lua_rawlen(lua, -1) >= longest_text) { // long enough
                lua_pop(lua, 2);
                continue;
            }
            lua_pushliteral(lua, ", ");
            lua_pushlstring(lua, value.data(), value.size());
            lua_concat(lua, 3);
        } else {
            lua_pop(lua, 1);
            lua_pushlstring(lua, value.data(), value.size());
        }
        lua_rawset(lua, -3);
    }
    if (!meter(lua).limits.strict) return;
    lua_createtable(lua, 0, 1);
    lua_pushcfunction(lua, no_such_header);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
}

/// ## `failure/NAME.lua`: `classify(failure)` returns a table, or nil
///
/// Called per failed attempt, with the policy that the adapter names. nil leaves the failure to `failure/generic.lua`
/// (which may not return it).
class ClassifyCall final : public Invocation {
  public:
    ClassifyCall(const FailureView& failure, JsonTable& json, bool may_decline)
        : Invocation(1), failure_(failure), json_(json), may_decline_(may_decline) {}

    int push_arguments(lua_State* lua, LazySource* const* source) override {
        lua_createtable(lua, 0, 4);
        make_lazy(lua, source);
        set(lua, "status", lua_Integer(failure_.status));
        return 1;
    }

    /// | `failure.` | |
    /// |---|---|
    /// | `adapter`, `protocol` | ids |
    /// | `status` | HTTP status, 0 without a response head |
    bool push_member(lua_State* lua, std::int64_t, std::string_view name) override {
        if (name == "stage") /// | `stage` | `connect`, `head`, `body`, `stream`: how far the attempt came |
            return push(lua, failure_.stage);
        /// | `transport` | `dns`, `connect`, `tls`, `reset`, `eof`, `timeout`, `protocol`; `""`: the connection is not
        /// what failed |
        if (name == "transport") return push(lua, failure_.transport);
        /// | `error_type`, `error_code`, `error_message` | as the protocol's transcoder located them, at most 4 KiB
        /// each; `""` if not. A type may be the protocol's own word or a canonical one (`rate_limit`, `quota`,
        /// `billing`, `overloaded` ...) |
        if (name == "error_type") return push(lua, failure_.error_type.substr(0, longest_text));
        if (name == "error_code") return push(lua, failure_.error_code.substr(0, longest_text));
        if (name == "error_message") return push(lua, failure_.error_message.substr(0, longest_text));
        /// | `document` | the error document as a table; JSON null is absent. nil: none, no JSON, over 16 KiB, over 32
        /// levels or 2048 values |
        if (name == "document") return json_.push(lua, failure_.document), true;
        /// | `headers` | response headers by lower-case name, at most 128, 4 KiB each; repeated ones are joined by `,
        /// `; credentials are left out |
        if (name == "headers") return push_headers(lua, failure_.headers), true;
        if (name == "adapter") return push(lua, failure_.adapter);
        if (name == "protocol") return push(lua, failure_.protocol);
        /// | `retry_after_ms` | Retry-After, from when it was received, 0 to 24 hours; nil: none |
        if (name == "retry_after_ms") return push_delay(lua, failure_.retry_after_ms);
        if (name == "attempt") /// | `attempt` | on this target, from 0 |
            return lua_pushinteger(lua, lua_Integer(failure_.attempt)), true;
        /// | `names_state` | boolean: the request names what a provider keeps, as an earlier answer, a file or a
        /// container; one key may not know what another has |
        if (name == "names_state") return lua_pushboolean(lua, failure_.names_state), true;
        return false;
    }

    ///
    /// | answer | |
    /// |---|---|
    /// | `class` | one of the words below |
    /// | `fall_back` | boolean: another target may be tried (before commitment only) |
    /// | `retry_in_place` | boolean, absent is false: this target may be tried once more, after a short pause |
    /// | `hint_ms` | Retry-After to honour, 0 to 24 hours; absent: none |
    const char* read_results(lua_State* lua) override {
        if (may_decline_ && lua_isnil(lua, -1)) return declined = true, nullptr;
        if (!lua_istable(lua, -1)) return "classify: expected a table";
        const int table = lua_gettop(lua);
        const auto field = [&](const char* name) { return push_field(lua, table, name); };
        expect_members(lua, table, {"class", "fall_back", "retry_in_place", "hint_ms"});
        field("class");
        const auto word = text_at(lua, -1);
        const auto what = word ? failure_class(*word) : std::nullopt;
        if (!what) return "classify: expected a failure class in 'class'";
        if (field("fall_back") != LUA_TBOOLEAN) return "classify: expected a boolean in 'fall_back'";
        result.fall_back = lua_toboolean(lua, -1);
        const int retry = field("retry_in_place");
        if (retry != LUA_TBOOLEAN && retry != LUA_TNIL)
            return "classify: expected a boolean or nil in 'retry_in_place'";
        result.retry_in_place = lua_toboolean(lua, -1);
        if (field("hint_ms") != LUA_TNIL) {
            result.hint_ms = delay_at(lua, -1);
            if (!result.hint_ms) return "classify: expected milliseconds from 0 to 24 hours, or nil, in 'hint_ms'";
        }
        result.what = *what;
        result.from_policy = true;
        return nullptr;
    }

    Classification result;
    bool declined = false;

  private:
    const FailureView& failure_;
    JsonTable& json_;
    bool may_decline_;
};

///
/// | class | means | circuit |
/// |---|---|---|
/// | `client_request` | the request is at fault | untouched |
/// | `client_cancelled` | the client left | untouched |
/// | `provider_transient` | will pass | open |
/// | `provider_capacity` | rate limit | open |
/// | `provider_quota` | a period's quota is spent | open |
/// | `provider_auth` | key refused | suspended |
/// | `provider_billing` | balance empty | suspended |
/// | `provider_configuration` | wrong model, path or plan | suspended |
/// | `provider_unknown_4xx` | refused, nobody knows why | suspended |
/// | `ambiguous` | a refusal that may not be the target's fault. Return `retry_in_place = failure.attempt == 0` and
/// `fall_back = true` | untouched |
/// | `transport` | connection, or an answer that is none | open |
/// | `stream_failure` | a stream broke | open |
/// | `local` | the gateway's own fault | untouched |
///
/// Default: what `failure/generic.lua` says; if that is what broke: `local`, no retry, no fallback, no hint.
///
/// ## `failure/schedules.lua`: `backoff(class, level, hint_ms)` returns `delay_ms, suspended`
///
/// Called when a failure opens a circuit or a probe fails.
///
/// | | |
/// |---|---|
/// | `class` | a class whose circuit is not untouched |
/// | `level` | 0 for the first failure of this class, one more for each failed probe since |
/// | `hint_ms` | as classified, or nil |
class BackoffCall final : public Invocation {
  public:
    BackoffCall(FailureClass what, std::uint32_t level, std::optional<std::int64_t> hint_ms)
        : Invocation(2), what_(what), level_(level), hint_ms_(hint_ms) {}

    int push_arguments(lua_State* lua, LazySource* const*) override {
        const auto word = to_string(what_);
        lua_pushlstring(lua, word.data(), word.size());
        lua_pushinteger(lua, lua_Integer(level_));
        push_delay(lua, hint_ms_);
        return 3;
    }

    /// | `delay_ms` | until the next probe, 0 to 24 hours |
    /// | `suspended` | boolean: a person has to act |
    const char* read_results(lua_State* lua) override {
        const auto delay = delay_at(lua, -2);
        if (!delay) return "backoff: expected milliseconds from 0 to 24 hours as the first result";
        if (!lua_isboolean(lua, -1)) return "backoff: expected a boolean as the second result";
        result = {.suspended = lua_toboolean(lua, -1) != 0, .delay_ms = *delay, .from_policy = true};
        return nullptr;
    }

    Backoff result;

  private:
    FailureClass what_;
    std::uint32_t level_;
    std::optional<std::int64_t> hint_ms_;
};

} // namespace

Classification Policies::classify(std::string_view failure_policy, const FailureView& failure) {
    if (failure_policy != generic) {
        ClassifyCall call(failure, state_->json, true);
        if (state_->invoke(failure_policy, call) && !call.declined) return call.result;
    }
    ClassifyCall call(failure, state_->json, false);
    return state_->invoke(generic, call) ? call.result : Classification{};
}

/// Default: 60,000 ms, open.
Backoff Policies::backoff(FailureClass what, std::uint32_t level, std::optional<std::int64_t> hint_ms) {
    BackoffCall call(what, level, hint_ms);
    return state_->invoke(schedules, call) ? call.result : default_backoff;
}

} // namespace wm::policy
