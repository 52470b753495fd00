#include "manual_clock.h"
#include "mount/mounts.h"

#include <gtest/gtest.h>

namespace wm::mount {
namespace {

struct MountsTest : testing::Test {
    static std::vector<config::Mount> settings() {
        config::Mount one;
        one.name = "m";
        one.upstream = "http://up.example";
        one.limits.pools = {{"", 1}};
        one.limits.all = true;
        one.breaker.threshold = 1;
        return {one};
    }
    static auto take(const Mounts& mounts) {
        const auto& limits = mounts.all().front().limits;
        return limits.gate()->try_acquire(limits.needed("POST", "/x")->part);
    }
    ManualClock clock;
    const std::vector<config::Mount> with = settings(), without{};
};

TEST_F(MountsTest, AMountThatComesBackKnowsWhoIsInsideAndItsCircuit) {
    const Mounts first(with, clock);
    auto inside = take(first);
    auto admitted = first.all().front().breaker->admit();
    std::get<Breaker::Pass>(admitted).settle(Verdict::server_error, std::nullopt);
    const Mounts second(without, clock, &first), third(with, clock, &second);
    third.take_effect();
    EXPECT_FALSE(take(third));
    EXPECT_TRUE(third.all().front().breaker->refusal());
    inside.reset();
    EXPECT_TRUE(take(third));
}

TEST_F(MountsTest, BehindAnotherUpstreamOrWithAnotherKeyACircuitIsAnotherOne) {
    const Mounts first(with, clock);
    EXPECT_EQ(Mounts(with, clock, &first).all().front().breaker, first.all().front().breaker);
    auto elsewhere = settings(), keyed = settings();
    elsewhere.front().upstream = "http://elsewhere.example";
    keyed.front().auth.secret = Secret("k");
    for (const auto& other : {elsewhere, keyed}) {
        const Mounts next(other, clock, &first);
        EXPECT_NE(next.all().front().breaker, first.all().front().breaker);
        EXPECT_EQ(next.all().front().limits.gate(), first.all().front().limits.gate());
    }
}

} // namespace
} // namespace wm::mount
