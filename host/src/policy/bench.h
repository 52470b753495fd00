#pragma once
// What a call of a policy costs, on the cases of its table, else on the probes.
#include "base/clock.h"
#include "policy/library.h"

#include <cstdint>
#include <memory>

namespace wm::policy {

struct Bench {
    std::size_t inputs = 0, calls = 0;
    double median_us = 0, p99_us = 0;
    std::int64_t instructions = 0, most_instructions = 0; // median and most of the inputs
    std::size_t bytes = 0, most_bytes = 0;                // allocated by a call, freed or not
    std::size_t failed = 0;                               // inputs that the policy did not answer
};

// `library` holds `script` and what it falls back to; a call that it declines includes the fallback's.
Bench bench(std::shared_ptr<const Library> library, const Script& script, Millis time);

} // namespace wm::policy
