#include "base/random.h"
#include "runtime/wheel.h"
#include <deque>
#include <gtest/gtest.h>

namespace wm::runtime {
namespace {

using namespace std::chrono_literals;

struct Entry final : WheelEntry {
    void expired() override { ++count; }
    int count = 0;
};

const SteadyTime zero{};

TEST(Wheel, NothingExpiresEarlyOrTwice) {
    Wheel wheel(zero);
    Entry e;
    wheel.arm(e, zero, 100ms);
    wheel.advance(zero + 99ms);
    EXPECT_EQ(e.count, 0);
    wheel.advance(zero + 100ms);
    EXPECT_EQ(e.count, 1);
    wheel.advance(zero + 100s);
    EXPECT_EQ(e.count, 1);
}

TEST(Wheel, OddTimesAreRoundedUp) {
    Wheel wheel(zero);
    Entry e;
    wheel.arm(e, zero + 3ms, 5ms);
    wheel.advance(zero + 9ms);
    EXPECT_EQ(e.count, 0);
    wheel.advance(zero + 10ms);
    EXPECT_EQ(e.count, 1);
}

TEST(Wheel, ArmingAgainReplaces) {
    Wheel wheel(zero);
    Entry e;
    wheel.arm(e, zero, 100ms);
    wheel.arm(e, zero + 50ms, 100ms);
    wheel.advance(zero + 140ms);
    EXPECT_EQ(e.count, 0);
    wheel.advance(zero + 150ms);
    EXPECT_EQ(e.count, 1);
}

TEST(Wheel, OneThatLeftDoesNotExpire) {
    Wheel wheel(zero);
    Entry stays;
    {
        Entry leaves;
        wheel.arm(leaves, zero, 50ms);
        wheel.arm(stays, zero, 50ms);
    }
    wheel.advance(zero + 50ms);
    EXPECT_EQ(stays.count, 1);
}

TEST(Wheel, ExtremeTimeoutsAreHarmless) {
    Wheel wheel(zero);
    Entry past, never;
    wheel.arm(past, zero + 1h, -5s);
    wheel.arm(never, zero + 1h, Millis(Millis::max().count() - 1));
    wheel.advance(zero + 1h + 10ms);
    EXPECT_EQ(past.count, 1);
    EXPECT_EQ(never.count, 0);
}

TEST(Wheel, SaysHowLongToWait) {
    Wheel wheel(zero);
    EXPECT_EQ(wheel.until_next(zero), forever);
    Entry e;
    wheel.arm(e, zero, 730ms);
    EXPECT_EQ(wheel.until_next(zero), 730ms);
    EXPECT_EQ(wheel.until_next(zero + 700ms + 500us), 30ms);
    EXPECT_EQ(wheel.until_next(zero + 2s), 0ms);
    wheel.advance(zero + 730ms);
    EXPECT_EQ(wheel.until_next(zero + 730ms), forever);
}

// Waiting as long as the wheel says and then advancing meets every deadline, within a tick, over many turns of it.
TEST(Wheel, RandomDeadlinesAreAllMet) {
    Random random(7);
    Wheel wheel(zero);
    std::deque<Entry> entries(500);
    std::vector<Millis> due;
    for (auto& e : entries) {
        due.emplace_back(random.between(0, 60'000));
        wheel.arm(e, zero, due.back());
    }
    for (auto now = zero; now < zero + 61s;) {
        const auto wait = wheel.until_next(now);
        if (wait == forever) break;
        now += std::max(wait, 1ms) + Millis(random.between(0, 7));
        wheel.advance(now);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const int count = entries[i].count;
            ASSERT_TRUE(now >= zero + due[i] || count == 0) << due[i].count() << " expired early";
            ASSERT_TRUE(now < zero + due[i] + 2 * Wheel::tick || count == 1) << due[i].count() << " is late";
        }
    }
    for (const auto& e : entries) EXPECT_EQ(e.count, 1);
}

TEST(Wheel, ALongPauseExpiresEverything) {
    Wheel wheel(zero);
    std::deque<Entry> entries(100);
    for (std::size_t i = 0; i < entries.size(); ++i) wheel.arm(entries[i], zero, Millis(i * 317));
    wheel.advance(zero + 1000h);
    for (const auto& e : entries) EXPECT_EQ(e.count, 1);
    EXPECT_EQ(wheel.until_next(zero + 1000h), forever);
}

} // namespace
} // namespace wm::runtime
