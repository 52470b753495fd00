// Properties of the shipped policies that no single case shows.
#include "base/random.h"
#include "manual_clock.h"
#include "scripts.h"

#include <map>

namespace wm::policy::test {
namespace {

struct Shipped {
    Shipped() : policies(Library::load(std::vector<std::filesystem::path>{WM_POLICIES}, names()), counters, clock) {}
    static std::vector<std::string> names() { return {"allocation/random", "failure/generic", "failure/schedules"}; }

    Counters counters;
    ManualClock clock;
    Policies policies;
};

TEST(ShippedPolicies, every_permutation_is_equally_likely) {
    Shipped shipped;
    Random random(1);
    std::vector<Candidate> candidates(4);
    std::map<std::vector<std::uint32_t>, int> seen;
    constexpr int calls = 48'000;
    for (int i = 0; i < calls; ++i) {
        for (auto& candidate : candidates) candidate.random = random.unit();
        ++seen[shipped.policies.order("allocation/random", {}, candidates).order];
    }
    ASSERT_EQ(seen.size(), 24u);
    double chi_square = 0;
    for (const auto& [order, count] : seen)
        chi_square += (count - calls / 24.0) * (count - calls / 24.0) / (calls / 24.0);
    EXPECT_LT(chi_square, 49.7); // 23 degrees of freedom, p = 0.001; the seed is fixed
}

TEST(ShippedPolicies, many_candidates) {
    Shipped shipped;
    std::vector<Candidate> candidates(64);
    for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].random = 1.0 / double(i + 2);
    const auto found = shipped.policies.order("allocation/random", {}, candidates);
    EXPECT_TRUE(found.from_policy) << shipped.policies.last_problem();
    EXPECT_EQ(found.order.front(), 63u);
    EXPECT_EQ(shipped.policies.order("allocation/random", {}, {}).order.size(), 0u);
}

TEST(ShippedPolicies, every_status_has_a_class) {
    Shipped shipped;
    for (int status = 0; status < 1000; ++status)
        for (const char* stage : {"connect", "head", "body", "stream"}) {
            FailureView failure;
            failure.status = status;
            failure.stage = stage;
            EXPECT_TRUE(shipped.policies.classify("failure/generic", failure).from_policy);
        }
    EXPECT_EQ(failed_calls(shipped.counters), 0u);
}

TEST(ShippedPolicies, every_class_that_touches_a_circuit_has_a_schedule) {
    Shipped shipped;
    for (const auto name : failure_class_names) {
        const auto what = *failure_class(name);
        const bool touches = what != FailureClass::client_request && what != FailureClass::client_cancelled &&
                             what != FailureClass::ambiguous && what != FailureClass::local;
        EXPECT_EQ(shipped.policies.backoff(what, 0, std::nullopt).from_policy, touches) << name;
        EXPECT_EQ(shipped.policies.backoff(what, 4'000'000'000u, 86'400'000'000).from_policy, touches) << name;
    }
}

} // namespace
} // namespace wm::policy::test
