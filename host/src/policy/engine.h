#pragma once
// Calls policies by name and books what goes wrong. One per Policies object, so one thread.
#include "policy/json_table.h"
#include "policy/lazy.h"
#include "policy/policies.h"
#include "policy/report.h"
#include "policy/sandbox.h"

#include <optional>

namespace wm::policy {

// One call of one policy: pushes the arguments, reads the results. All of it runs inside the sandbox and may raise.
class Invocation : public LazySource {
  public:
    explicit Invocation(int results) : results_(results) {}

    // Gives their number. Tables of it that were made lazy with `source` ask `push_member`.
    virtual int push_arguments(lua_State* lua, LazySource* const* source) = 0;
    virtual const char* read_results(lua_State* lua) = 0; // they stand at the top; null, or what was expected of them
    bool push_member(lua_State*, std::int64_t, std::string_view) override { return false; }
    int results() const { return results_; }

  private:
    int results_;
};

struct Policies::State {
    State(std::shared_ptr<const Library> library, Counters& counters, const Clock& clock, const Limits& limits);

    // False: the policy failed and that is booked; the caller answers with its default.
    bool invoke(std::string_view policy, Invocation& call) noexcept;
    JsonTable json;
    std::string last_problem;
    Cost cost;

  private:
    struct Loaded {
        const Script* script; // the library's
        int function;
    };
    void fail(Cause cause, std::string_view policy, std::string_view message) noexcept;
    template <class Compose>
    void remember(Compose&& compose) noexcept; // as the last problem
    void build();                              // throws std::runtime_error
    const Loaded* find(std::string_view policy) const;

    LazySource* current_ = nullptr; // the call that runs
    std::shared_ptr<const Library> library_;
    Counters& counters_;
    const Clock& clock_;
    const Limits limits_;
    std::optional<Sandbox> sandbox_; // empty after an overrun, until the next call
    std::vector<Loaded> loaded_;
};

} // namespace wm::policy
