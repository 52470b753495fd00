#pragma once
// Calls policies by name and books what goes wrong. One per Policies object, so one thread.
#include "policy/json_table.h"
#include "policy/policies.h"
#include "policy/sandbox.h"

#include <optional>

namespace wm::policy {

// One call of one policy: pushes the arguments, reads the results. Both run inside the sandbox and may raise.
class Invocation {
  public:
    explicit Invocation(int results) : results_(results) {}
    virtual ~Invocation() = default;

    virtual int push_arguments(lua_State* lua) = 0;         // gives their number
    virtual const char* read_results(lua_State* lua) = 0;   // they stand at the top; null, or what is wrong with them
    int results() const { return results_; }

  private:
    int results_;
};

struct Policies::State {
    State(std::shared_ptr<const Library> library, Counters& counters, const Clock& clock);

    // False: the policy failed and that is booked; the caller answers with its default.
    bool invoke(std::string_view policy, Invocation& call) noexcept;
    JsonTable json;

  private:
    struct Loaded {
        std::string_view name; // the library's
        int function;
    };
    void build(); // throws std::runtime_error
    const Loaded* find(std::string_view policy) const;

    std::shared_ptr<const Library> library_;
    Counters& counters_;
    const Clock& clock_;
    std::optional<Sandbox> sandbox_; // empty after an overrun, until the next call
    std::vector<Loaded> loaded_;
};

} // namespace wm::policy
