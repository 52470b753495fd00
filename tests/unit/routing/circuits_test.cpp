#include "manual_clock.h"
#include "routing/circuits.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

using namespace wm;
using namespace wm::routing;

namespace {

struct CircuitsTest : testing::Test {
    ManualClock clock;
    MemoryCircuitStore store;
    Circuits circuits{{"a/k m", "b/k m"}, store, clock};

    Pass admitted(std::uint32_t target = 0) {
        auto answer = circuits.admit(target);
        if (!std::holds_alternative<Pass>(answer)) throw std::logic_error("blocked");
        return std::get<Pass>(std::move(answer));
    }
    std::optional<Blocked> blocked(std::uint32_t target = 0) {
        const auto answer = circuits.admit(target);
        if (const auto* b = std::get_if<Blocked>(&answer)) return *b;
        return std::nullopt;
    }
    void open(std::int64_t delay_ms = 1000) { admitted().fail(FailureClass::provider_transient, false, delay_ms); }
    CircuitMode mode() { return circuits.snapshot(0).mode; }
};

TEST_F(CircuitsTest, OneFailureOpensAndOnlyThatTarget) {
    open();
    EXPECT_EQ(mode(), CircuitMode::open);
    ASSERT_TRUE(blocked());
    EXPECT_EQ(blocked()->next_probe_at_ms, clock.wall_ms() + 1000);
    EXPECT_FALSE(blocked()->probing);
    EXPECT_FALSE(admitted(1).probe());
}

TEST_F(CircuitsTest, AfterTheDelayExactlyOneProbe) {
    open();
    clock.advance(Millis(999));
    EXPECT_TRUE(blocked());
    clock.advance(Millis(1));
    const auto probe = admitted();
    EXPECT_TRUE(probe.probe());
    EXPECT_EQ(mode(), CircuitMode::half_open);
    ASSERT_TRUE(blocked());
    EXPECT_TRUE(blocked()->probing);
}

// A clock that was wrong at boot: deadlines said by it are years away once it is set.
TEST_F(CircuitsTest, AClockThatIsSetBackKeepsNobodyOut) {
    constexpr Millis years{400ll * 24 * 3600 * 1000};
    open(5000);
    clock.set_wall(-Millis(30'000)); // a little: it may take so much longer
    EXPECT_TRUE(blocked());
    clock.set_wall(Millis(30'000));
    EXPECT_TRUE(blocked());
    clock.set_wall(-years);
    EXPECT_FALSE(circuits.blocked(0));
    auto probe = admitted();
    EXPECT_TRUE(probe.probe());
    EXPECT_TRUE(blocked()->probing);
    clock.set_wall(-years); // with its probe under way
    EXPECT_FALSE(circuits.blocked(0));
    auto next = admitted();
    next.fail(FailureClass::provider_transient, false, 5000);
    EXPECT_EQ(blocked()->next_probe_at_ms, clock.wall_ms() + 5000);
    clock.set_wall(years); // and forward
    EXPECT_FALSE(circuits.blocked(0));
    { const auto dropped = admitted(); }
    EXPECT_TRUE(blocked());
    clock.set_wall(-years);
    EXPECT_FALSE(circuits.blocked(0));
}

TEST_F(CircuitsTest, ProbeSuccessClosesAndForgetsLevels) {
    open();
    clock.advance(Millis(1000));
    admitted().succeed();
    EXPECT_EQ(mode(), CircuitMode::closed);
    EXPECT_EQ(circuits.snapshot(0).consecutive_failures, 0u);
    EXPECT_EQ(admitted().level(FailureClass::provider_transient), 0u);
}

TEST_F(CircuitsTest, ProbeFailureAdvancesTheLevelOnce) {
    open();
    clock.advance(Millis(1000));
    auto probe = admitted();
    EXPECT_EQ(probe.level(FailureClass::provider_transient), 1u);
    probe.fail(FailureClass::provider_transient, false, 2000);
    EXPECT_EQ(circuits.snapshot(0).levels[static_cast<unsigned>(FailureClass::provider_transient)], 2u);
    EXPECT_EQ(circuits.snapshot(0).consecutive_failures, 2u);
}

TEST_F(CircuitsTest, AlternatingClassesStillEscalate) {
    open();
    for (const auto what : {FailureClass::provider_capacity, FailureClass::provider_transient}) {
        clock.advance(Millis(1000));
        admitted().fail(what, false, 1000);
    }
    clock.advance(Millis(1000));
    const auto probe = admitted();
    EXPECT_EQ(probe.level(FailureClass::provider_transient), 2u);
    EXPECT_EQ(probe.level(FailureClass::provider_capacity), 1u);
}

TEST_F(CircuitsTest, ReleasedProbeMayBeTakenAgainAtOnceAndChangesNothing) {
    open();
    clock.advance(Millis(1000));
    admitted().release();
    EXPECT_EQ(mode(), CircuitMode::open);
    EXPECT_EQ(circuits.snapshot(0).consecutive_failures, 1u);
    EXPECT_TRUE(admitted().probe());
}

TEST_F(CircuitsTest, DroppedProbeIsEligibleAfterOneSecond) {
    open();
    clock.advance(Millis(1000));
    { const auto dropped = admitted(); }
    clock.advance(Millis(999));
    EXPECT_TRUE(blocked());
    clock.advance(Millis(1));
    EXPECT_TRUE(admitted().probe());
}

TEST_F(CircuitsTest, ProbeIsTakenAwayAfterTenMinutesAndItsLateResultIgnored) {
    open();
    clock.advance(Millis(1000));
    auto lost = admitted();
    clock.advance(Millis(Circuits::probe_limit_ms - 1));
    EXPECT_TRUE(blocked());
    clock.advance(Millis(1));
    auto second = admitted();
    EXPECT_TRUE(second.probe());
    lost.succeed();
    EXPECT_EQ(mode(), CircuitMode::half_open);
    second.succeed();
    EXPECT_EQ(mode(), CircuitMode::closed);
}

TEST_F(CircuitsTest, ConcurrentFailuresOfOneGenerationCountOnce) {
    std::vector<Pass> passes;
    for (int i = 0; i < 8; ++i) passes.push_back(admitted());
    for (auto& p : passes) p.fail(FailureClass::provider_transient, false, 1000);
    EXPECT_EQ(circuits.snapshot(0).consecutive_failures, 1u);
}

TEST_F(CircuitsTest, ClientErrorOnAClosedCircuitChangesNothing) {
    const auto before = circuits.snapshot(0).generation;
    admitted().release();
    admitted().succeed();
    { const auto dropped = admitted(); }
    EXPECT_EQ(circuits.snapshot(0).generation, before);
}

TEST_F(CircuitsTest, SuspendedIsSaidAndProbedLikeOpen) {
    admitted().fail(FailureClass::provider_auth, true, 300'000);
    EXPECT_EQ(mode(), CircuitMode::suspended);
    clock.advance(Millis(300'000));
    admitted().release();
    EXPECT_EQ(mode(), CircuitMode::suspended);
    EXPECT_TRUE(admitted().probe());
}

TEST_F(CircuitsTest, ChangesAreAnnounced) {
    const auto before = circuits.changes().version();
    open();
    EXPECT_NE(circuits.changes().version(), before);
}

TEST_F(CircuitsTest, StoreBringsDeadlinesBackAndFreesAHalfOpenProbe) {
    open(60'000);
    {
        Circuits again({"a/k m"}, store, clock);
        const auto answer = again.admit(0);
        ASSERT_TRUE(std::holds_alternative<Blocked>(answer));
        EXPECT_EQ(std::get<Blocked>(answer).next_probe_at_ms, clock.wall_ms() + 60'000);
    }
    clock.advance(Millis(60'000));
    const auto probe = admitted();
    Circuits restarted({"a/k m"}, store, clock);
    EXPECT_TRUE(std::holds_alternative<Pass>(restarted.admit(0)));
}

TEST_F(CircuitsTest, ManyThreadsOneProbe) {
    open();
    clock.advance(Millis(1000));
    std::atomic<int> probes{0};
    std::vector<std::thread> threads;
    std::vector<std::optional<Pass>> held(4);
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            auto answer = circuits.admit(0);
            if (auto* pass = std::get_if<Pass>(&answer)) ++probes, held[std::size_t(i)].emplace(std::move(*pass));
        });
    for (auto& t : threads) t.join();
    EXPECT_EQ(probes, 1);
}

TEST_F(CircuitsTest, AnotherGenerationSharesTheTargetsItHasInCommon) {
    open();
    const Circuits next({"new/k m", "a/k m"}, store, clock, &circuits);
    EXPECT_EQ(next.snapshot(1).mode, CircuitMode::open);
    EXPECT_EQ(next.snapshot(0).mode, CircuitMode::closed);

    clock.advance(Millis(1000));
    auto probe = admitted(); // under the old generation
    ASSERT_TRUE(next.blocked(1));
    EXPECT_TRUE(next.blocked(1)->probing);
    const auto seen = next.changes().version();
    probe.succeed();
    EXPECT_EQ(next.snapshot(1).mode, CircuitMode::closed);
    EXPECT_NE(next.changes().version(), seen);
}

TEST_F(CircuitsTest, ATargetThatComesBackGoesOnWhereTheStoreLeftIt) {
    open(5000);
    const Circuits without({"b/k m"}, store, clock, &circuits);
    const Circuits again({"a/k m", "b/k m"}, store, clock, &without);
    EXPECT_EQ(again.snapshot(0).mode, CircuitMode::open);
    ASSERT_TRUE(again.blocked(0));
    EXPECT_EQ(again.blocked(0)->next_probe_at_ms, clock.wall_ms() + 5000);
}

} // namespace
