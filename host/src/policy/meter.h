#pragma once
// What one Lua state has used and may still use. Reached from C functions through the state's extra space.
#include "base/free_lists.h"

#include <array>
#include <cstddef>
#include <cstdint>

struct lua_State;

namespace wm::policy {

/// Limits of a call: 100,000 instructions, 4 MiB held, 32 MiB allocated, 256 KiB in one string or table.
struct Limits {
    std::int64_t instructions = 100'000; // a call
    std::size_t bytes = 4u << 20;        // above what the loaded scripts hold
    std::size_t churn = 32u << 20;       // allocated in total by a call, freed or not: bounds the time spent copying
    std::size_t block = 256u << 10;      // one string or table part: bounds what a single instruction can cost
    int step = 1000;                     // instructions between two looks at what is left
    bool strict = false;                 // a name that the host does not know is an error: where scripts are tested
};

constexpr Limits under_test{.strict = true};

struct Meter {
    Limits limits;
    std::size_t used = 0, ceiling = SIZE_MAX; // bytes held, and the most that may be held
    std::size_t churned = 0;
    std::int64_t work_left = 0;           // instructions; library functions charge their loops here too
    bool exhausted = false;               // the work ran out; stays set until the next call
    bool refused = false;                 // an allocation was refused
    bool raised = false;                  // the script called error or assert: its text may hold request data
    std::array<char, 96> raised_at{};     // "file:line: " of that call
    FreeLists<16, 256, 16 * 1024> blocks; // most of what a call allocates: small tables, gone with the next collection
};

Meter& meter(lua_State* lua);

// Takes `units` from the call's work; raises a Lua error once nothing is left.
void charge(lua_State* lua, std::size_t units);

} // namespace wm::policy
