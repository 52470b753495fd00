#pragma once
// One closed Lua state: bounded memory, bounded work, an allow-list of functions, text chunks only. Belongs to one
// thread. After `instructions` or `memory` the state is to be thrown away and built again.
#include "policy/meter.h"

#include <string>
#include <string_view>

struct lua_State;

namespace wm::policy {

enum class Outcome : unsigned char { ok, error, instructions, memory };

class Sandbox {
  public:
    explicit Sandbox(const Limits& limits = {}); // throws std::bad_alloc
    ~Sandbox();
    Sandbox(const Sandbox&) = delete;

    using Body = int (*)(lua_State*); // receives `data` as a light userdata; may raise, may throw

    // Runs `body` protected and metered; no exception leaves.
    Outcome run(Body body, void* data) noexcept;

    // Compiles and runs `source` in an environment of its own, which is frozen afterwards. `function` receives a
    // registry reference to the global function `entry`, or is left alone where `entry` is empty.
    Outcome load(std::string_view chunk_name, std::string_view source, std::string_view entry, int& function) noexcept;

    bool compiled() const { return compiled_; } // what was loaded last, whether or not it ran to its end

    // Lets scripts loaded from now on call `function`, whose first upvalue is `data` as a light userdata.
    Outcome allow(const char* name, Body function, void* data) noexcept;

    // Collects garbage and takes what is held now as the baseline that `Limits::bytes` is counted from.
    void settle() noexcept;

    std::int64_t instructions_used() const { return meter_.limits.instructions - meter_.work_left; } // by the last run
    std::size_t bytes_allocated() const { return meter_.churned; }                                   // by the last run

    // Of the last run that was not ok. `message` is all that Lua said and may hold request data; `safe_message` names
    // place and kind only.
    const std::string& message() const { return message_; }
    const std::string& safe_message() const { return safe_message_; }

  private:
    void keep_message(int status) noexcept;

    Meter meter_;
    lua_State* lua_ = nullptr;
    std::string message_, safe_message_;
    bool compiled_ = false;
};

} // namespace wm::policy
