#include "loop_fixture.h"
#include <atomic>
#include <thread>

namespace wm::runtime {
namespace {

using Loops = LoopTest;

TEST_F(Loops, SleepEndsWhenItsTimeHasPassed) {
    std::optional<Io> slept;
    into([&] { return sleep(loop, abort, 100ms); }, slept);
    advance(90ms);
    EXPECT_FALSE(slept);
    advance(10ms);
    EXPECT_EQ(slept, Io::ok);
}

TEST_F(Loops, AllThatRunsInATurnSeesTheSameGlancedTime) {
    GlancedClock glanced(clock);
    Loop other(glanced);
    std::vector<SteadyTime> seen;
    std::vector<std::int64_t> wall;
    for (int i = 0; i < 2; ++i)
        other.post([&] {
            seen.push_back(other.clock().now());
            wall.push_back(other.clock().wall_ms());
            clock.advance(5ms);
        });
    const auto before = clock.now();
    other.run_once(0ms);
    EXPECT_EQ(seen, std::vector(2, before));
    EXPECT_EQ(wall[0], wall[1]);
    other.run_once(0ms);
    EXPECT_EQ(other.clock().now(), before + 10ms);
}

TEST_F(Loops, SleepIsCancelledBeforeAndWhileItWaits) {
    std::optional<Io> during, after;
    into([&] { return sleep(loop, abort, 1h); }, during);
    settle();
    EXPECT_FALSE(during);
    abort.fire();
    loop.run_once(0ms);
    EXPECT_EQ(during, Io::cancelled);
    into([&] { return sleep(loop, abort, 1h); }, after);
    EXPECT_EQ(after, Io::cancelled);
}

TEST_F(Loops, OneAbortCancelsAllThatWaitWithIt) {
    std::optional<Io> results[3];
    for (auto& r : results) into([&] { return sleep(loop, abort, 1h); }, r);
    abort.fire();
    abort.fire();
    for (auto& r : results) EXPECT_FALSE(r) << "resumed from inside fire()";
    loop.run_once(0ms);
    for (auto& r : results) EXPECT_EQ(r, Io::cancelled);
}

TEST_F(Loops, WhatIsFirstDecides) { // the time had passed before the abort: one result, and only one resumption
    int resumed = 0;
    Io last = Io::failed;
    [](Loop& l, Abort& a, int& n, Io& io) -> Detached {
        io = co_await sleep(l, a, 10ms);
        ++n;
    }(loop, abort, resumed, last);
    clock.advance(10ms);
    loop.post([&] { abort.fire(); }); // posted calls run before timeouts of the same turn
    loop.run_once(0ms);
    loop.run_once(0ms);
    EXPECT_EQ(resumed, 1);
    EXPECT_EQ(last, Io::cancelled);
}

TEST_F(Loops, ACoroutineMayFireItsOwnAbortAndEndItAll) {
    bool done = false;
    [](Loop& l, bool& d) -> Detached {
        Abort own(l);
        co_await sleep(l, own, 10ms);
        own.fire();
        EXPECT_EQ(co_await sleep(l, own, 1h), Io::cancelled);
        d = true;
    }(loop, done);
    advance(10ms);
    EXPECT_TRUE(done);
}

TEST_F(Loops, OneCoroutineMayCancelAnotherThatEndsTheFirstsAbort) {
    auto shared = std::make_unique<Abort>(loop);
    std::optional<Io> other;
    [](Loop& l, std::unique_ptr<Abort>& s, std::optional<Io>& o) -> Detached {
        o = co_await sleep(l, *s, 1h);
        s.reset();
    }(loop, shared, other);
    loop.post([&] { shared->fire(); });
    settle();
    EXPECT_EQ(other, Io::cancelled);
    EXPECT_EQ(shared, nullptr);
}

TEST_F(Loops, PostsRunInOrder) {
    std::string order;
    for (char c : {'a', 'b', 'c'}) loop.post([&order, c] { order += c; });
    EXPECT_EQ(order, "");
    loop.run_once(0ms);
    EXPECT_EQ(order, "abc");
}

TEST_F(Loops, APostFromAnotherThreadWakesTheLoop) {
    bool ran = false;
    std::thread other([&] { loop.post([&] { ran = true; }); });
    EXPECT_TRUE(until([&] { return ran; }));
    other.join();
}

TEST_F(Loops, APostMayPost) {
    int depth = 0;
    std::function<void()> again = [&] {
        if (++depth < 3) loop.post(again);
    };
    loop.post(again);
    settle();
    EXPECT_EQ(depth, 3);
}

TEST(LoopStop, FiresAllAbortsAndEndsWhenTheyAreGone) {
    SystemClock clock;
    Loop loop(clock);
    std::vector<Io> ends;
    const auto session = [](Loop& l, std::vector<Io>& e) -> Detached {
        Abort own(l);
        e.push_back(co_await sleep(l, own, 1h));
        Abort late(l); // made while stopping: what it waits for is cancelled too
        e.push_back(co_await sleep(l, late, 1h));
    };
    session(loop, ends);
    session(loop, ends);
    std::thread stopper([&] { loop.stop(); });
    loop.run();
    stopper.join();
    EXPECT_EQ(ends, std::vector<Io>(4, Io::cancelled));
}

TEST(LoopStop, WaitsInRealTimeOnARealClock) {
    SystemClock clock;
    Loop loop(clock);
    const auto begin = clock.now();
    std::optional<Io> slept;
    [](Loop& l, std::optional<Io>& s) -> Detached {
        Abort own(l);
        s = co_await sleep(l, own, 30ms);
        l.stop();
    }(loop, slept);
    loop.run();
    EXPECT_EQ(slept, Io::ok);
    EXPECT_GE(clock.now() - begin, 30ms);
}

TEST_F(Loops, TimersRepeatUntilDestroyed) {
    int ticks = 0;
    auto timer = std::make_optional<Timer>(loop, 100ms, [&] { ++ticks; });
    for (int i = 1; i <= 3; ++i) {
        advance(100ms);
        EXPECT_EQ(ticks, i);
    }
    advance(10s); // a pause is one call, not a burst
    EXPECT_EQ(ticks, 4);
    timer.reset();
    advance(10s);
    EXPECT_EQ(ticks, 4);
}

TEST_F(Loops, ATimerMayDestroyItselfOrAnotherThatIsDue) {
    std::string called;
    std::optional<Timer> first, second, third;
    first.emplace(loop, 100ms, [&, name = std::string("first")] {
        first.reset();
        second.reset();
        called += name; // what the call captured is still there
    });
    second.emplace(loop, 100ms, [&] { called += "second"; });
    third.emplace(loop, 100ms, [&] { called += " third"; });
    advance(100ms);
    EXPECT_EQ(called, "first third");
    advance(100ms);
    EXPECT_EQ(called, "first third third");
}

} // namespace
} // namespace wm::runtime
