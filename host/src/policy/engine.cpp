#include "policy/engine.h"

#include "policy/entry.h"

#include <lua.hpp>
#include <stdexcept>

namespace wm::policy {
namespace {

struct Bound {
    int function;
    Invocation& call;
    LazySource* const* source;
    const char* nonsense;
};

int call_policy(lua_State* lua) {
    auto& bound = *static_cast<Bound*>(lua_touserdata(lua, 1));
    luaL_checkstack(lua, 32, nullptr);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, bound.function);
    lua_call(lua, bound.call.push_arguments(lua, bound.source), bound.call.results());
    bound.nonsense = bound.call.read_results(lua);
    return 0;
}

Cause cause_of(Outcome outcome) {
    return outcome == Outcome::instructions ? Cause::instructions
           : outcome == Outcome::memory     ? Cause::memory
                                            : Cause::error;
}

} // namespace

Policies::State::State(std::shared_ptr<const Library> library, Counters& counters, const Clock& clock)
    : library_(std::move(library)), counters_(counters), clock_(clock) {
    build();
}

void Policies::State::build() {
    loaded_.clear();
    sandbox_.emplace();
    for (const auto& script : library_->scripts()) {
        int function = LUA_NOREF;
        if (sandbox_->load(chunk_name(script.name), script.source, entry_point(script.name), function) != Outcome::ok) {
            const std::string message = sandbox_->message();
            sandbox_.reset();
            throw std::runtime_error("policy " + script.name + ": " + message);
        }
        loaded_.push_back({script.name, function});
    }
    sandbox_->settle();
}

const Policies::State::Loaded* Policies::State::find(std::string_view policy) const {
    for (const auto& entry : loaded_)
        if (entry.name == policy)
            return &entry;
    return nullptr;
}

void Policies::State::fail(Cause cause, std::string_view policy, std::string_view message) noexcept {
    report(counters_, clock_, cause, policy, message);
    last_problem.assign(message.substr(0, 400));
}

bool Policies::State::invoke(std::string_view policy, Invocation& call) noexcept {
    ++counters_.calls;
    try {
        if (!sandbox_)
            build();
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
    Bound bound{entry->function, call, &current_, nullptr};
    current_ = &call;
    const auto outcome = sandbox_->run(call_policy, &bound);
    current_ = nullptr;
    if (outcome == Outcome::ok) {
        if (bound.nonsense)
            fail(Cause::nonsense, policy, bound.nonsense);
        return !bound.nonsense;
    }
    fail(cause_of(outcome), policy, sandbox_->safe_message());
    last_problem = sandbox_->message();
    if (outcome != Outcome::error)
        sandbox_.reset();
    return false;
}

Policies::Policies(std::shared_ptr<const Library> library, Counters& counters, const Clock& clock)
    : state_(std::make_unique<State>(std::move(library), counters, clock)) {}

Policies::~Policies() = default;

const std::string& Policies::last_problem() const { return state_->last_problem; }

} // namespace wm::policy
