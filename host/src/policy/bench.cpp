#include "policy/bench.h"

#include "policy/probes.h"

#include <algorithm>
#include <chrono>

namespace wm::policy {
namespace {

// `cases` keeps the texts that the inputs refer to.
std::vector<Given> inputs_of(const Script& script, SpecCases& cases) {
    std::vector<Given> inputs;
    if (!read_spec(script.spec(), cases))
        for (const auto& one : cases.cases)
            if (one.policy == script.name) inputs.push_back(one.given);
    if (inputs.empty())
        for (const auto& probe : probes(script.name)) inputs.push_back(probe.given);
    return inputs;
}

template <class T>
T at_share(std::vector<T>& values, double share) {
    const auto nth = values.begin() + std::ptrdiff_t(double(values.size() - 1) * share);
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
}

// Counting each instruction makes a call slow, so this is not the run that is timed.
void count(const std::shared_ptr<const Library>& library, const Script& script, const std::vector<Given>& inputs,
           Bench& result) {
    const SystemClock clock;
    Counters counters{.quiet = true};
    Policies policies(library, counters, clock, Limits{.step = 1});
    std::vector<std::int64_t> instructions;
    std::vector<std::size_t> bytes;
    for (const auto& given : inputs) {
        const auto before = policies.cost();
        call(policies, script.name, given);
        const auto after = policies.cost();
        instructions.push_back(after.instructions - before.instructions);
        bytes.push_back(after.bytes - before.bytes);
    }
    result.failed = failed_calls(counters);
    result.most_instructions = at_share(instructions, 1);
    result.instructions = at_share(instructions, 0.5);
    result.most_bytes = at_share(bytes, 1);
    result.bytes = at_share(bytes, 0.5);
}

} // namespace

Bench bench(std::shared_ptr<const Library> library, const Script& script, Millis time) {
    using Watch = std::chrono::steady_clock;
    SpecCases cases;
    const auto inputs = inputs_of(script, cases);
    Bench result{.inputs = inputs.size()};
    count(library, script, inputs, result);

    const SystemClock clock;
    Counters counters{.quiet = true};
    Policies policies(std::move(library), counters, clock);
    std::vector<float> times;
    const auto end = Watch::now() + time;
    for (bool warm = false; Watch::now() < end || times.empty(); warm = true)
        for (const auto& given : inputs) {
            const auto start = Watch::now();
            call(policies, script.name, given);
            if (warm) times.push_back(std::chrono::duration<float, std::micro>(Watch::now() - start).count());
        }
    result.calls = times.size();
    result.median_us = double(at_share(times, 0.5));
    result.p99_us = double(at_share(times, 0.99));
    return result;
}

} // namespace wm::policy
