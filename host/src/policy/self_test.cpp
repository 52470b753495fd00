#include "policy/self_test.h"

#include "policy/probes.h"

#include <stdexcept>

namespace wm::policy {
namespace {

Refusal refused(const Script& script, std::string text) { return {script.name, Fault::self_test, std::move(text)}; }

// The first case of the script's table that does not hold. The table may be about others of the same name too.
std::optional<Refusal> run_table(const Script& script, Policies& policies, const Counters& counters) {
    const auto file = script.spec();
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
    SpecCases read;
    if (auto problem = read_spec(file, read)) return refused(script, std::move(*problem));
    for (const auto& one : read.cases)
        if (one.policy == script.name)
            if (const auto failure = run_case(policies, counters, file.string(), one))
                return refused(script, failure->text());
    return std::nullopt;
}

} // namespace

std::optional<Refusal> self_test(std::shared_ptr<const Library> library, const Script& script) {
    const SystemClock clock;
    Counters counters{.quiet = true};
    try {
        Policies policies(std::move(library), counters, clock, under_test);
        if (auto failed = run_table(script, policies, counters)) return failed;
        for (const auto& probe : probes(script.name)) {
            call(policies, script.name, probe.given);
            if (failed_calls(counters) > 0)
                return refused(script, policies.last_problem() + ", in the probe " + probe.text);
        }
    } catch (const std::runtime_error& error) {
        return refused(script, script.file + ": " + error.what());
    }
    return std::nullopt;
}

} // namespace wm::policy
