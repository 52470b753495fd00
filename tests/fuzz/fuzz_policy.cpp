// A provider's error document before the shipped policy, and before one that lets the document choose what the policy
// calls and answers: the host gets a sound decision or its default, and the next call works.
#include "manual_clock.h"
#include "policy/policies.h"
#include "target.h"

#include <string>
#include <vector>

using namespace wm;
using fuzz::require;

namespace {

struct Bench {
    Bench() {
        const std::filesystem::path folders[] = {WM_FUZZ_POLICIES, WM_POLICIES};
        const std::string names[] = {"failure/generic", "failure/schedules", "failure/calls", "allocation/random"};
        policies.emplace(policy::Library::load(folders, names), counters, clock);
    }
    policy::Counters counters;
    ManualClock clock;
    std::optional<policy::Policies> policies;
};

void check(policy::Policies& policies, const policy::Classification& found) {
    constexpr std::int64_t a_day = 24 * 3600 * 1000;
    require(std::size_t(found.what) < failure_class_names.size(), "the class is one");
    require(found.from_policy || found.what == FailureClass::local, "a policy that failed gives the default");
    require(found.hint_ms.value_or(0) >= 0 && found.hint_ms.value_or(0) <= a_day, "a hint is at most a day");
    const auto backoff = policies.backoff(found.what, 3, found.hint_ms);
    require(backoff.delay_ms >= 0 && backoff.delay_ms <= a_day, "a delay is at most a day");
}

} // namespace

// The first byte chooses a status; the first line is what fields and located texts hold; the rest is the document.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static Bench bench;
    if (size == 0) return 0;
    constexpr int statuses[] = {0, 200, 400, 401, 404, 429, 500, 529};
    const auto input = fuzz::text(data, size).substr(1);
    const auto line = input.substr(0, input.find('\n'));
    const PairView headers[] = {{"retry-after", line}, {"x", line}, {"x", line}};
    policy::FailureView failure{.adapter = "a",
                                .protocol = "p",
                                .status = statuses[data[0] % std::size(statuses)],
                                .headers = headers,
                                .document = input.substr(std::min(input.size(), line.size() + 1)),
                                .transport = "",
                                .stage = "head",
                                .error_type = line,
                                .error_code = line,
                                .error_message = line,
                                .retry_after_ms = std::int64_t(size) << (data[0] & 63),
                                .attempt = 0};
    const bool located = data[0] & 64;
    if (!located) failure.error_type = failure.error_code = {};
    check(*bench.policies, bench.policies->classify("failure/generic", failure));
    check(*bench.policies, bench.policies->classify("failure/calls", failure));
    return 0;
}
