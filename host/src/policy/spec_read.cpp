#include "policy/entry.h"
#include "policy/fields.h"
#include "policy/sandbox.h"
#include "policy/spec_cases.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace wm::policy {
namespace {

// A case file is the operator's own and large: only runaway loops need stopping.
constexpr Limits generous{.instructions = 10'000'000, .bytes = 256u << 20, .churn = 1u << 30, .block = 16u << 20};

SpecCases& cases(lua_State* lua) { return *static_cast<SpecCases*>(lua_touserdata(lua, lua_upvalueindex(1))); }

std::string_view kept(SpecCases& into, std::string_view text) { return into.texts.emplace_back(text); }

// One of these words, or absent.
std::string_view word_in(lua_State* lua, const Fields& fields, const char* name,
                         std::initializer_list<std::string_view> words) {
    const auto word = fields.text(name);
    if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end()) {
        std::string all;
        for (const auto one : words) all.append(all.empty() ? "" : ", ").append(one);
        luaL_error(lua, "%s: expected one of %s, found '%s'", name, all.c_str(), word.data());
    }
    return word;
}

FailureClass class_in(lua_State* lua, const Fields& fields, const char* what) {
    const auto word = fields.text("class");
    const auto found = failure_class(word);
    if (!found) luaL_error(lua, "%s.class: expected a failure class, found '%s'", what, word.data());
    return *found;
}

OrderCase order_case(lua_State* lua, int index, SpecCases& into) {
    const Fields fields(lua, index, "order", {"request", "candidates"});
    OrderCase given;
    if (fields.has("request")) {
        const Fields request(lua, fields.table("request"), "request",
                             {"served_model", "protocol", "principal", "layer", "stream", "text_bytes"});
        given.request = {kept(into, request.text("served_model")),
                         kept(into, request.text("protocol")),
                         kept(into, request.text("principal")),
                         kept(into, request.text("layer")),
                         request.flag("stream"),
                         std::uint64_t(request.integer("text_bytes").value_or(0))};
    }
    const int list = fields.table("candidates");
    for (lua_Integer i = 1; lua_rawgeti(lua, list, i) != LUA_TNIL; ++i) {
        const Fields candidate(lua, -1, "candidate", {"backend", "credential", "upstream_model", "random"});
        given.candidates.push_back({kept(into, candidate.text("backend")), kept(into, candidate.text("credential")),
                                    kept(into, candidate.text("upstream_model")), candidate.number("random")});
        lua_pop(lua, 1);
    }
    return given;
}

Ordering expected_order(lua_State* lua, int index) {
    const Fields fields(lua, index, "expect", {"order", "reason"});
    Ordering expected;
    expected.reason = fields.text("reason");
    const int list = fields.table("order");
    for (lua_Integer i = 1; lua_rawgeti(lua, list, i) != LUA_TNIL; ++i) {
        expected.order.push_back(std::uint32_t(lua_tointeger(lua, -1) - 1));
        lua_pop(lua, 1);
    }
    return expected;
}

ClassifyCase classify_case(lua_State* lua, int index, SpecCases& into) {
    const Fields fields(lua, index, "classify",
                        {"adapter", "protocol", "status", "headers", "document", "transport", "stage", "error_type",
                         "error_code", "error_message", "retry_after_ms", "attempt", "names_state"});
    ClassifyCase given;
    auto& failure = given.failure;
    failure.adapter = kept(into, fields.text("adapter"));
    failure.protocol = kept(into, fields.text("protocol"));
    failure.status = int(fields.integer("status").value_or(0));
    failure.document = kept(into, fields.text("document"));
    failure.transport =
        kept(into, word_in(lua, fields, "transport", {"dns", "connect", "tls", "reset", "eof", "timeout", "protocol"}));
    failure.stage = kept(into, word_in(lua, fields, "stage", {"connect", "head", "body", "stream"}));
    failure.error_type = kept(into, fields.text("error_type"));
    failure.error_code = kept(into, fields.text("error_code"));
    failure.error_message = kept(into, fields.text("error_message"));
    failure.retry_after_ms = fields.integer("retry_after_ms");
    failure.attempt = std::uint32_t(fields.integer("attempt").value_or(0));
    failure.names_state = fields.flag("names_state");
    if (!fields.has("headers")) return given;
    const int headers = fields.table("headers");
    lua_pushnil(lua);
    while (lua_next(lua, headers)) {
        if (lua_type(lua, -2) != LUA_TSTRING || lua_type(lua, -1) != LUA_TSTRING)
            luaL_error(lua, "classify.headers: expected names and texts");
        given.headers.push_back({kept(into, lua_tostring(lua, -2)), kept(into, lua_tostring(lua, -1))});
        lua_pop(lua, 1);
    }
    return given;
}

Classification expected_class(lua_State* lua, int index) {
    const Fields fields(lua, index, "expect", {"class", "fall_back", "retry_in_place", "hint_ms"});
    return {class_in(lua, fields, "expect"), fields.flag("retry_in_place"), fields.flag("fall_back"),
            fields.integer("hint_ms"), true};
}

BackoffCase backoff_case(lua_State* lua, int index) {
    const Fields fields(lua, index, "backoff", {"class", "level", "hint_ms"});
    return {class_in(lua, fields, "backoff"), std::uint32_t(fields.integer("level").value_or(0)),
            fields.integer("hint_ms")};
}

Backoff expected_backoff(lua_State* lua, int index) {
    const Fields fields(lua, index, "expect", {"delay_ms", "suspended"});
    if (!fields.has("delay_ms")) luaL_error(lua, "expect.delay_ms: expected milliseconds");
    return {fields.flag("suspended"), *fields.integer("delay_ms"), true};
}

std::optional<Millis> millis(std::optional<std::int64_t> count) {
    return count ? std::optional(Millis(*count)) : std::nullopt;
}

RankCase rank_case(lua_State* lua, int index, SpecCases& into) {
    const Fields fields(lua, index, "rank", {"request", "gate"});
    const Fields request(lua, fields.table("request"), "request",
                         {"priority", "principal", "served_model", "protocol", "stream", "text_bytes"});
    RankCase given;
    given.request = {kept(into, request.text("priority")),
                     kept(into, request.text("principal")),
                     kept(into, request.text("served_model")),
                     kept(into, request.text("protocol")),
                     request.flag("stream"),
                     std::uint64_t(request.integer("text_bytes").value_or(0))};
    const Fields gate(lua, fields.table("gate"), "gate", {"name", "order", "promote_after_ms", "limit", "waiting"});
    given.gate = {kept(into, gate.text("name")), kept(into, gate.text("order")),
                  millis(gate.integer("promote_after_ms")), unsigned(gate.integer("limit").value_or(0)),
                  unsigned(gate.integer("waiting").value_or(0))};
    return given;
}

Rank expected_rank(lua_State* lua, int index) {
    const Fields fields(lua, index, "expect", {"class", "turn", "weight", "promote_after_ms"});
    const auto word = fields.text("class");
    const auto found = std::find(rank_classes.begin(), rank_classes.end(), word);
    if (found == rank_classes.end())
        luaL_error(lua, "expect.class: expected high, medium or low, found '%s'", word.data());
    return {unsigned(found - rank_classes.begin()), std::string(fields.text("turn")),
            unsigned(fields.integer("weight").value_or(1)), millis(fields.integer("promote_after_ms")), true};
}

// policy "failure/generic": what the following cases are about
int name_policy(lua_State* lua) {
    const char* name = luaL_checkstring(lua, 1);
    if (entry_point(name).empty())
        return luaL_error(lua, "policy: expected allocation/NAME or failure/NAME, found '%s'", name);
    cases(lua).policy = name;
    return 0;
}

// case { "name", classify = {...}, expect = {...} }
int add_case(lua_State* lua) {
    SpecCases& into = cases(lua);
    if (into.policy.empty())
        return luaL_error(lua, "case: expected a line like  policy \"failure/generic\"  before the first case");
    const Fields fields(lua, 1, "case", {"order", "classify", "backoff", "rank", "expect"});
    SpecCase added;
    added.policy = into.policy;
    lua_Debug where;
    if (lua_getstack(lua, 1, &where) && lua_getinfo(lua, "l", &where)) added.line = where.currentline;
    if (lua_rawgeti(lua, 1, 1) != LUA_TSTRING) return luaL_error(lua, "case: expected its name first");
    added.name = lua_tostring(lua, -1);

    const std::string entry(entry_point(into.policy));
    const int given = fields.table(entry.c_str()), expect = fields.table("expect");
    if (entry == "order") {
        added.given = order_case(lua, given, into);
        added.expected = expected_order(lua, expect);
    } else if (entry == "classify") {
        added.given = classify_case(lua, given, into);
        added.expected = expected_class(lua, expect);
    } else if (entry == "rank") {
        added.given = rank_case(lua, given, into);
        added.expected = expected_rank(lua, expect);
    } else {
        added.given = backoff_case(lua, given);
        added.expected = expected_backoff(lua, expect);
    }
    into.cases.push_back(std::move(added));
    return 0;
}

} // namespace

std::optional<std::string> read_spec(const std::filesystem::path& file, SpecCases& into) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream source;
    source << in.rdbuf();
    if (!in) return file.string() + ": cannot be read";

    Sandbox sandbox(generous);
    const auto chunk = file.filename().string();
    int no_function = 0;
    if (sandbox.allow("policy", name_policy, &into) == Outcome::ok &&
        sandbox.allow("case", add_case, &into) == Outcome::ok &&
        sandbox.load(chunk, source.view(), {}, no_function) == Outcome::ok) {
        if (into.cases.empty()) return file.string() + ": expected at least one case, found none";
        return std::nullopt;
    }
    auto message = sandbox.message();
    if (message.starts_with(chunk))
        message.replace(0, chunk.size(), file.string());
    else
        message = file.string() + ": " + message;
    return message;
}

} // namespace wm::policy
