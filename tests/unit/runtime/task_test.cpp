#include "loop_fixture.h"
#include "runtime/beside.h"
#include "runtime/task.h"
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>

namespace wm::runtime {
namespace {

Task<int> number(int n) { co_return n; }

Task<> note(bool& ran) {
    ran = true;
    co_return;
}

Task<std::unique_ptr<int>> boxed() { co_return std::make_unique<int>(7); }

Task<int> thrower() {
    throw std::runtime_error("a bug");
    co_return 0;
}

TEST(Task, StartsWhenAwaited) {
    bool ran = false;
    [](bool& r) -> Detached {
        auto task = note(r);
        EXPECT_FALSE(r);
        co_await task;
    }(ran);
    EXPECT_TRUE(ran);
}

TEST(Task, OneThatIsNeverAwaitedLeaksNothing) { auto task = boxed(); }

TEST(Task, PassesValuesThatOnlyMove) {
    int got = 0;
    [](int& g) -> Detached {
        auto box = co_await boxed();
        g = *box;
    }(got);
    EXPECT_EQ(got, 7);
}

TEST(Task, PassesExceptionsToTheAwaiter) {
    std::string got;
    [](std::string& g) -> Detached {
        try {
            co_await thrower();
        } catch (const std::runtime_error& e) {
            g = e.what();
        }
    }(got);
    EXPECT_EQ(got, "a bug");
}

TEST(Task, ManyAwaitsInARowUseNoStack) {
    long sum = 0;
    [](long& s) -> Detached {
        for (int i = 0; i < 1'000'000; ++i) s += co_await number(1);
    }(sum);
    EXPECT_EQ(sum, 1'000'000);
}

struct BesideTest : LoopTest {};

Task<> waits(Loop& loop, Abort& abort, std::string& said) {
    said += "began ";
    const auto io = co_await sleep(loop, abort, 1h);
    said += io == Io::cancelled ? "cancelled " : "slept ";
}

Task<> throws() {
    throw std::runtime_error("a bug");
    co_return;
}

Detached join(Beside& beside, std::string& said) {
    try {
        co_await beside.join();
        said += "joined";
    } catch (const std::runtime_error& error) {
        said += error.what();
    }
}

TEST_F(BesideTest, RunsUntilItIsJoined) {
    for (const bool cancelled : {true, false}) {
        Abort part(loop);
        const AbortLink link(abort, part);
        Beside beside(loop);
        std::string said;
        beside.start(waits(loop, part, said));
        join(beside, said);
        EXPECT_EQ(said, "began ");
        EXPECT_TRUE(beside.running());
        if (cancelled)
            part.fire();
        else
            clock.advance(2h);
        ASSERT_TRUE(until([&] { return said.ends_with("joined"); })) << said;
        EXPECT_EQ(said, cancelled ? "began cancelled joined" : "began slept joined");
        EXPECT_FALSE(abort.fired());
    }
}

TEST_F(BesideTest, OneThatHasEndedIsJoinedAtOnceAndThrowsThere) {
    Beside beside(loop), unused(loop);
    std::string said;
    beside.start(throws());
    EXPECT_FALSE(beside.running());
    join(beside, said);
    join(unused, said);
    EXPECT_EQ(said, "a bugjoined");
}

TEST_F(BesideTest, TheWholesAbortReachesAPart) {
    Abort part(loop);
    const AbortLink link(abort, part);
    abort.fire();
    EXPECT_TRUE(part.fired());
    Abort late(loop);
    const AbortLink another(abort, late);
    EXPECT_TRUE(late.fired());
}

} // namespace
} // namespace wm::runtime
