// When the circuit of a mount's upstream opens, who probes it, and what a failure costs its permit.
#include "manual_clock.h"
#include "mount/breaker.h"

#include <gtest/gtest.h>

#include <vector>

namespace wm::mount {
namespace {

using namespace std::chrono_literals;
using Mode = Breaker::Mode;

struct Circuit : testing::Test {
    ManualClock clock;
    config::Breaker settings;
    Breaker breaker{settings, clock};

    Breaker::Pass pass() {
        auto admitted = breaker.admit();
        EXPECT_TRUE(std::holds_alternative<Breaker::Pass>(admitted));
        return std::get<Breaker::Pass>(std::move(admitted));
    }
    Millis refused() {
        auto admitted = breaker.admit();
        const auto* left = std::get_if<Millis>(&admitted);
        EXPECT_TRUE(left);
        return left ? *left : Millis(-1);
    }
    Millis end(Verdict verdict, std::optional<Millis> retry_after = std::nullopt) {
        return pass().settle(verdict, retry_after);
    }
    void open() {
        for (unsigned i = 0; i < settings.threshold; ++i) end(Verdict::server_error);
        ASSERT_EQ(mode(), Mode::open);
    }
    Mode mode() const { return breaker.state().value().mode; }
};

// BC-101
TEST_F(Circuit, OpensAtSoManyFailuresWithinTheWindow) {
    for (int i = 0; i < 4; ++i) {
        end(Verdict::server_error);
        clock.advance(10s); // the first one leaves the window as the fourth comes
    }
    end(Verdict::server_error);
    EXPECT_EQ(mode(), Mode::closed);
    EXPECT_EQ(breaker.state()->failures, 3u);
    end(Verdict::success); // does not empty the window
    end(Verdict::server_error);
    EXPECT_EQ(mode(), Mode::closed);
    end(Verdict::server_error);
    EXPECT_EQ(mode(), Mode::open);
}

// BC-104 BC-105 BC-109
TEST_F(Circuit, OnlyFailuresOfTheUpstreamCount) {
    for (const auto nothing : {Verdict::success, Verdict::abandoned, Verdict::untried})
        for (int i = 0; i < 20; ++i) end(nothing);
    EXPECT_EQ(breaker.state()->failures, 0u);
    for (const auto failure : {Verdict::server_error, Verdict::throttled, Verdict::banned, Verdict::transport})
        end(failure);
    EXPECT_EQ(mode(), Mode::closed);
    end(Verdict::malformed);
    EXPECT_EQ(mode(), Mode::open);
}

// BC-102
TEST_F(Circuit, OneProbeGoesWhenItsTimeHasCome) {
    open();
    EXPECT_EQ(refused(), 10s);
    EXPECT_EQ(breaker.refusal(), 10s);
    clock.advance(9'999ms);
    EXPECT_EQ(refused(), 1ms);
    clock.advance(1ms);
    EXPECT_FALSE(breaker.refusal());
    EXPECT_EQ(mode(), Mode::open) << "looking takes no probe";
    auto probe = pass();
    EXPECT_TRUE(probe.probe());
    EXPECT_EQ(mode(), Mode::half_open);
    EXPECT_EQ(refused(), 1s) << "its result may come any moment";
    probe.settle(Verdict::success, std::nullopt);
    EXPECT_EQ(mode(), Mode::closed);
    EXPECT_FALSE(pass().probe());
    EXPECT_EQ(breaker.state()->failures, 0u);
}

// BC-102
TEST_F(Circuit, TheTimeDoublesWithEachFailedProbe) {
    open();
    for (const auto time : {10s, 20s, 40s, 80s, 120s, 120s}) {
        EXPECT_EQ(refused(), time);
        clock.advance(time);
        end(Verdict::throttled);
    }
    clock.advance(120s);
    end(Verdict::success);
    open();
    EXPECT_EQ(refused(), 10s) << "a recovery begins anew";
}

// BC-110
TEST_F(Circuit, AProbeWithoutAVerdictIsGivenBack) {
    open();
    clock.advance(10s);
    { const auto dropped = pass(); }
    EXPECT_EQ(mode(), Mode::open);
    EXPECT_FALSE(breaker.refusal()) << "the next may go at once";
    end(Verdict::abandoned);
    EXPECT_FALSE(breaker.refusal());
    auto probe = pass();
    EXPECT_TRUE(probe.probe());
    Breaker::Pass moved = std::move(probe);
    moved = Breaker::Pass(std::move(moved));
    EXPECT_EQ(mode(), Mode::half_open);
    moved.settle(Verdict::success, std::nullopt);
    EXPECT_EQ(mode(), Mode::closed);
}

TEST_F(Circuit, AProbeWhoseAnswerHasBegunWellClosesItHoweverLongTheAnswerLasts) {
    open();
    clock.advance(10s);
    auto probe = pass();
    ASSERT_TRUE(probe.probe());
    EXPECT_TRUE(probe.renew(Verdict::success, std::nullopt));
    EXPECT_EQ(mode(), Mode::closed);
    EXPECT_FALSE(probe.probe());
    clock.advance(1min);
    probe.settle(Verdict::transport, std::nullopt); // it broke off
    EXPECT_EQ(breaker.state()->failures, 1u);
}

TEST_F(Circuit, AnOverdueProbeLosesItsSay) {
    open();
    clock.advance(10s);
    auto slow = pass();
    clock.advance(9s);
    EXPECT_EQ(refused(), 1s);
    clock.advance(1s);
    auto next = pass();
    EXPECT_TRUE(next.probe());
    slow.settle(Verdict::success, std::nullopt);
    EXPECT_EQ(mode(), Mode::half_open);
    next.settle(Verdict::server_error, std::nullopt);
    EXPECT_EQ(mode(), Mode::open);
}

TEST_F(Circuit, ResultsFromBeforeItOpenedChangeNothing) {
    auto good = pass(), bad = pass(), again = pass();
    open();
    EXPECT_GT(bad.settle(Verdict::server_error, std::nullopt), 0ms) << "its permit is held all the same";
    good.settle(Verdict::success, std::nullopt);
    EXPECT_EQ(mode(), Mode::open);
    EXPECT_EQ(breaker.state()->failures_in_a_row, 5u);
    clock.advance(10s);
    end(Verdict::success);
    again.settle(Verdict::server_error, std::nullopt);
    EXPECT_EQ(breaker.state()->failures, 0u);
}

TEST_F(Circuit, APassHasOneResult) {
    auto once = pass();
    EXPECT_EQ(once.settle(Verdict::server_error, std::nullopt), 2s);
    EXPECT_EQ(once.settle(Verdict::server_error, std::nullopt), 0ms);
    EXPECT_EQ(breaker.state()->failures, 1u);
}

TEST_F(Circuit, AFailureIsPaidForThoughTheTryThatWasToFollowNeverCame) {
    auto tries = pass();
    EXPECT_TRUE(tries.renew(Verdict::server_error, std::nullopt));
    EXPECT_EQ(tries.settle(Verdict::abandoned, std::nullopt), 0ms);
    EXPECT_EQ(tries.settle(Verdict::server_error, std::nullopt), 2s);
    EXPECT_EQ(breaker.state()->failures, 1u) << "and counted once";
    auto better = pass();
    EXPECT_TRUE(better.renew(Verdict::server_error, std::nullopt));
    better.settle(Verdict::success, std::nullopt);
    EXPECT_EQ(better.settle(Verdict::success, std::nullopt), 0ms);
}

// BC-093 BC-103
TEST_F(Circuit, ThePenaltyGrowsWithFailuresInARow) {
    EXPECT_EQ(end(Verdict::server_error), 2s);
    EXPECT_EQ(end(Verdict::transport), 4s);
    EXPECT_EQ(end(Verdict::throttled, 30s), 30s) << "as long as it asks for";
    EXPECT_EQ(end(Verdict::throttled, 10min), 60s) << "but no longer than the most";
    EXPECT_EQ(end(Verdict::success), 0ms);
    EXPECT_EQ(end(Verdict::throttled, 1s), 2s) << "a success ends the row";
    EXPECT_EQ(mode(), Mode::open);
    for (int i = 0; i < 100; ++i) {
        clock.advance(120s);
        EXPECT_LE(end(Verdict::server_error), 60s);
    }
}

// BC-099 BC-100
TEST_F(Circuit, TurnedOffItRefusesNobodyAndHoldsNothing) {
    open();
    settings.on = false;
    breaker.configure(settings);
    EXPECT_FALSE(breaker.state());
    for (int i = 0; i < 20; ++i) EXPECT_EQ(end(Verdict::server_error, 9s), 0ms);
    settings.on = true;
    breaker.configure(settings);
    EXPECT_EQ(mode(), Mode::closed);
    settings.penalty = 0ms;
    breaker.configure(settings);
    EXPECT_EQ(end(Verdict::throttled, 9s), 0ms) << "a penalty of 0 leaves it to failure_hold";
}

TEST_F(Circuit, AReloadLeavesItOpen) {
    open();
    settings.threshold = 9;
    breaker.configure(settings);
    EXPECT_EQ(mode(), Mode::open);
    EXPECT_EQ(refused(), 10s);
}

} // namespace
} // namespace wm::mount
