#include "loop_fixture.h"
#include "runtime/notice.h"
#include "runtime/worker_pool.h"
#include <atomic>
#include <future>
#include <new>
#include <thread>

namespace wm::runtime {
namespace {

struct Pools : LoopTest {
    WorkerPool pool{2};
};

TEST_F(Pools, WorkRunsElsewhereAndTheCoroutineGoesOnHere) {
    std::thread::id worker, after;
    [](Pools& t, std::thread::id& w, std::thread::id& a) -> Detached {
        co_await t.pool.run(t.loop, t.abort, [&w] { w = std::this_thread::get_id(); });
        a = std::this_thread::get_id();
    }(*this, worker, after);
    ASSERT_TRUE(until([&] { return after != std::thread::id(); }));
    EXPECT_EQ(after, std::this_thread::get_id());
    EXPECT_NE(worker, after);
}

TEST_F(Pools, LightWorkRunsHereAtOnce) {
    std::thread::id worker;
    abort.fire(); // which changes nothing, here as there
    [](Pools& t, std::thread::id& w) -> Detached {
        co_await t.pool.run(
            t.loop, t.abort, [&w] { w = std::this_thread::get_id(); }, false);
    }(*this, worker);
    EXPECT_EQ(worker, std::this_thread::get_id());
}

TEST_F(Pools, AnAbortWaitsForTheWorkAndShowsAtTheNextAwait) {
    std::promise<void> started, go;
    std::optional<Io> next;
    [](Pools& t, std::promise<void>& s, std::promise<void>& g, std::optional<Io>& n) -> Detached {
        co_await t.pool.run(t.loop, t.abort, [&] {
            s.set_value();
            g.get_future().wait();
        });
        n = co_await sleep(t.loop, t.abort, 1h);
    }(*this, started, go, next);
    started.get_future().wait();
    abort.fire();
    settle();
    EXPECT_FALSE(next);
    go.set_value();
    ASSERT_TRUE(arrives(next));
    EXPECT_EQ(next, Io::cancelled);
}

TEST_F(Pools, RunsForAnAbortedCoroutineToo) {
    abort.fire();
    bool ran = false, resumed = false;
    [](Pools& t, bool& r, bool& e) -> Detached {
        co_await t.pool.run(t.loop, t.abort, [&r] { r = true; });
        e = true;
    }(*this, ran, resumed);
    ASSERT_TRUE(until([&] { return resumed; }));
    EXPECT_TRUE(ran);
}

TEST_F(Pools, WhatTheWorkThrowsArrivesWhereItIsAwaited) {
    for (const bool heavy : {true, false}) {
        std::optional<bool> caught;
        [](Pools& t, std::optional<bool>& c, bool on_the_pool) -> Detached {
            bool thrown = false;
            try {
                co_await t.pool.run(
                    t.loop, t.abort, [] { throw std::bad_alloc(); }, on_the_pool);
            } catch (const std::bad_alloc&) {
                thrown = true;
            }
            c = thrown;
        }(*this, caught, heavy);
        ASSERT_TRUE(arrives(caught));
        EXPECT_EQ(caught, true);
    }
}

TEST_F(Pools, ManyJobsFromOneLoop) {
    std::atomic<int> worked = 0;
    int resumed = 0;
    for (int i = 0; i < 500; ++i)
        [](Pools& t, std::atomic<int>& w, int& r) -> Detached {
            co_await t.pool.run(t.loop, t.abort, [&w] { ++w; });
            ++r;
        }(*this, worked, resumed);
    ASSERT_TRUE(until([&] { return resumed == 500; }));
    EXPECT_EQ(worked, 500);
}

struct Notices : LoopTest {
    Notice notice;
    std::optional<Io> got;
    void start(std::uint64_t seen, Millis timeout = 1h) {
        into([=, this] { return notice.changed(loop, abort, seen, timeout); }, got);
    }
};

TEST_F(Notices, AChangeThatWasMissedIsNotWaitedFor) {
    const auto seen = notice.version();
    notice.raise();
    start(seen);
    EXPECT_EQ(got, Io::ok);
}

TEST_F(Notices, WakesAllWhoWait) {
    std::optional<Io> other;
    start(notice.version());
    into([&] { return notice.changed(loop, abort, notice.version(), 1h); }, other);
    settle();
    EXPECT_FALSE(got || other);
    std::thread raiser([&] { notice.raise(); });
    ASSERT_TRUE(arrives(got) && arrives(other));
    raiser.join();
    EXPECT_EQ(got, Io::ok);
    EXPECT_EQ(other, Io::ok);
}

TEST_F(Notices, TimesOut) {
    start(notice.version(), 100ms);
    advance(100ms);
    EXPECT_EQ(got, Io::timed_out);
    notice.raise(); // nobody there any more
}

TEST_F(Notices, IsCancelledBeforeAndWhileItWaits) {
    start(notice.version());
    abort.fire();
    notice.raise(); // too late
    settle();
    EXPECT_EQ(got, Io::cancelled);
    start(0);
    EXPECT_EQ(got, Io::cancelled);
}

// Every loop sees the last version, whatever the raising thread and the waiting do to each other.
TEST(NoticeStorm, NobodyMissesTheLastChange) {
    constexpr std::uint64_t last = 2000;
    SystemClock clock;
    Notice notice;
    const auto follow = [&] {
        Loop loop(clock);
        [](Loop& l, Notice& n) -> Detached {
            Abort abort(l);
            for (std::uint64_t seen = n.version(); seen < last; seen = n.version())
                EXPECT_EQ(co_await n.changed(l, abort, seen, 60s), Io::ok);
            l.stop();
        }(loop, notice);
        loop.run();
    };
    std::thread a(follow), b(follow);
    for (std::uint64_t i = 0; i < last; ++i) notice.raise();
    a.join();
    b.join();
    EXPECT_EQ(notice.version(), last);
}

} // namespace
} // namespace wm::runtime
