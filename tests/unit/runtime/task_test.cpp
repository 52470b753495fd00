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
        for (int i = 0; i < 1'000'000; ++i)
            s += co_await number(1);
    }(sum);
    EXPECT_EQ(sum, 1'000'000);
}

} // namespace
} // namespace wm::runtime
