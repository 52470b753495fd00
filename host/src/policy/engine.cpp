#include "policy/engine.h"

#include "policy/describe.h"
#include "policy/entry.h"

#include <lua.hpp>
#include <stdexcept>

namespace wm::policy {
namespace {

struct Bound {
    int function;
    Invocation& call;
    LazySource* const* source;
    const char* expected = nullptr; // what the answer is not
    std::string found{};            // and what it is
    int line = 0;                   // where the function is defined
};

int call_policy(lua_State* lua) {
    auto& bound = *static_cast<Bound*>(lua_touserdata(lua, 1));
    luaL_checkstack(lua, 32, nullptr);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, bound.function);
    const int first = lua_gettop(lua);
    lua_call(lua, bound.call.push_arguments(lua, bound.source), bound.call.results());
    bound.expected = bound.call.read_results(lua);
    if (!bound.expected) return 0;
    bound.found = describe(lua, first, bound.call.results());
    lua_Debug where;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, bound.function);
    if (lua_getinfo(lua, ">S", &where)) bound.line = where.linedefined;
    return 0;
}

Cause cause_of(Outcome outcome) {
    return outcome == Outcome::instructions ? Cause::instructions
           : outcome == Outcome::memory     ? Cause::memory
                                            : Cause::error;
}

} // namespace

Policies::State::State(std::shared_ptr<const Library> library, Counters& counters, const Clock& clock,
                       const Limits& limits)
    : library_(std::move(library)), counters_(counters), clock_(clock), limits_(limits) {
    build();
}

void Policies::State::build() {
    loaded_.clear();
    sandbox_.emplace(limits_);
    for (const auto& script : library_->scripts()) {
        int function = LUA_NOREF;
        if (sandbox_->load(chunk_name(script.name), script.source, entry_point(script.name), function) != Outcome::ok) {
            const std::string message = sandbox_->message();
            sandbox_.reset();
            throw std::runtime_error("policy " + script.name + ": " + message);
        }
        loaded_.push_back({&script, function});
    }
    sandbox_->settle();
}

const Policies::State::Loaded* Policies::State::find(std::string_view policy) const {
    for (const auto& entry : loaded_)
        if (entry.script->name == policy) return &entry;
    return nullptr;
}

void Policies::State::fail(Cause cause, std::string_view policy, std::string_view message) noexcept {
    report(counters_, clock_, cause, policy, message);
    remember([&] { return std::string(message); });
}

template <class Compose>
void Policies::State::remember(Compose&& compose) noexcept {
    try {
        last_problem = compose();
    } catch (...) { // out of memory: it is only a text
        last_problem.clear();
    }
}

bool Policies::State::invoke(std::string_view policy, Invocation& call) noexcept {
    ++counters_.calls;
    try {
        if (!sandbox_) build();
    } catch (const std::exception&) {
        sandbox_.reset();
        fail(Cause::error, policy, "its state could not be built again");
        return false;
    }
    const auto* entry = find(policy);
    if (!entry) {
        fail(Cause::error, policy, "it is not loaded");
        return false;
    }
    Bound bound{entry->function, call, &current_};
    current_ = &call;
    const auto outcome = sandbox_->run(call_policy, &bound);
    current_ = nullptr;
    cost.instructions += sandbox_->instructions_used();
    cost.bytes += sandbox_->bytes_allocated();
    if (outcome == Outcome::ok) {
        if (!bound.expected) return true;
        fail(Cause::nonsense, policy, bound.expected);
        remember([&] {
            return entry->script->file + ":" + std::to_string(bound.line) + ": " + bound.expected + ", found " +
                   bound.found;
        });
        return false;
    }
    fail(cause_of(outcome), policy, sandbox_->safe_message());
    remember([&] { return placed(*entry->script, sandbox_->message()); });
    if (outcome != Outcome::error) sandbox_.reset();
    return false;
}

Policies::Policies(std::shared_ptr<const Library> library, Counters& counters, const Clock& clock, const Limits& limits)
    : state_(std::make_unique<State>(std::move(library), counters, clock, limits)) {}

Policies::~Policies() = default;

const std::string& Policies::last_problem() const { return state_->last_problem; }

Policies::Cost Policies::cost() const { return state_->cost; }

} // namespace wm::policy
