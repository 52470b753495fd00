#include "manual_clock.h"
#include "routing/pins.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

using namespace wm;
using namespace wm::routing;

namespace {

Digest pin(int n) { return digest_of({"response", std::to_string(n)}); }
const Digest a = digest_of({"credential", "a"}), b = digest_of({"credential", "b"});

struct PinsTest : testing::Test {
    ManualClock clock;
    Pins pins{clock, {.most = 4, .age = Millis(1000)}};

    void learn(int n, const Digest& holder = a, std::string_view who = "alice") {
        const Digest one[] = {pin(n)};
        pins.learn(who, one, holder);
    }
    std::optional<Digest> holder(std::vector<int> all, std::string_view who = "alice") const {
        std::vector<Digest> asked;
        for (const int n : all) asked.push_back(pin(n));
        return pins.holder_of(who, asked);
    }
};

TEST_F(PinsTest, TellsTheHolderOfWhatWasLearnt) {
    EXPECT_EQ(holder({1}), std::nullopt);
    learn(1);
    learn(2, b);
    EXPECT_EQ(holder({1}), a);
    EXPECT_EQ(holder({2}), b);
    EXPECT_EQ(holder({3}), std::nullopt);
    EXPECT_EQ(holder({}), std::nullopt);
}

TEST_F(PinsTest, ForgetsWhatAHolderDoesNotKnow) {
    learn(1);
    learn(2);
    learn(1, b, "bob");
    const Digest both[] = {pin(1), pin(3)};
    pins.forget("alice", both);
    EXPECT_EQ(holder({1}), std::nullopt);
    EXPECT_EQ(holder({2}), a);
    EXPECT_EQ(holder({1}, "bob"), b);
    EXPECT_EQ(pins.size(), 2u);
}

TEST_F(PinsTest, TheLastThatIsKnownDecides) {
    learn(1);
    learn(2, b);
    EXPECT_EQ(holder({1, 2}), b);
    EXPECT_EQ(holder({2, 1}), a);
    EXPECT_EQ(holder({1, 3}), a);
}

TEST_F(PinsTest, AnotherPrincipalFindsNothingAndChangesNothing) {
    learn(1);
    EXPECT_EQ(holder({1}, "bob"), std::nullopt);
    EXPECT_EQ(holder({1}, ""), std::nullopt);
    learn(1, b, "bob");
    EXPECT_EQ(holder({1}), a);
    EXPECT_EQ(holder({1}, "bob"), b);
}

TEST_F(PinsTest, TheLatestHolderCounts) {
    learn(1);
    learn(1, b);
    EXPECT_EQ(holder({1}), b);
    EXPECT_EQ(pins.size(), 1u);
}

TEST_F(PinsTest, ForgetsWhatWasLearntLongestAgo) {
    for (int n = 1; n <= 4; ++n) learn(n);
    learn(1); // again
    learn(5);
    EXPECT_EQ(pins.size(), 4u);
    EXPECT_EQ(holder({2}), std::nullopt);
    EXPECT_EQ(holder({1}), a);
    EXPECT_EQ(holder({5}), a);
}

TEST_F(PinsTest, LookingDoesNotKeepAPin) {
    for (int n = 1; n <= 4; ++n) learn(n);
    EXPECT_EQ(holder({1}), a);
    learn(5);
    EXPECT_EQ(holder({1}), std::nullopt);
}

TEST_F(PinsTest, ForgetsWithAge) {
    learn(1);
    clock.advance(Millis(600));
    learn(2);
    clock.advance(Millis(400));
    EXPECT_EQ(holder({1}), a);
    clock.advance(Millis(1));
    EXPECT_EQ(holder({1}), std::nullopt);
    EXPECT_EQ(holder({2}), a);
    learn(3); // and gives the memory back
    EXPECT_EQ(pins.size(), 2u);
}

TEST_F(PinsTest, OtherLimitsHoldAtOnce) {
    for (int n = 1; n <= 4; ++n) learn(n);
    pins.limit({.most = 2, .age = Millis(1000)});
    EXPECT_EQ(pins.size(), 2u);
    EXPECT_EQ(holder({4}), a);
    pins.limit({.most = 0, .age = Millis(1000)});
    EXPECT_EQ(pins.size(), 0u);
    learn(1);
    EXPECT_EQ(holder({1}), std::nullopt);
    pins.limit({.most = 4, .age = Millis(1000)});
    learn(1);
    EXPECT_EQ(holder({1}), a);
}

TEST_F(PinsTest, WhoHasMostLosesItsOldest) {
    learn(1, b, "bob");
    for (int n = 1; n <= 100; ++n) learn(n);
    EXPECT_EQ(pins.size(), 4u);
    EXPECT_EQ(holder({1}, "bob"), b);
    EXPECT_EQ(holder({98}), a);
    EXPECT_EQ(holder({97}), std::nullopt);
    learn(1, b, "carol");
    EXPECT_EQ(pins.size(), 4u);
    EXPECT_EQ(holder({1}, "bob"), b);
    EXPECT_EQ(holder({1}, "carol"), b);
    EXPECT_EQ(holder({99}), a);
    EXPECT_EQ(holder({98}), std::nullopt);
}

TEST_F(PinsTest, WhoLearnsNoMoreGivesItsMemoryBack) {
    for (const auto* who : {"bob", "carol", "dave"}) learn(1, b, who);
    clock.advance(Millis(1001));
    for (int n = 0; n < 4; ++n) learn(1); // a turn for each
    EXPECT_EQ(pins.size(), 1u);
}

// Each thread learns and looks up its own, beside others that make the map forget all the time.
TEST(Pins, ManyThreads) {
    const SystemClock clock;
    const PinLimits roomy{.most = 16'384, .age = Millis(3'600'000)}; // a thread may be away for long
    Pins pins(clock, roomy);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            const auto mine = digest_of({"credential", std::to_string(t)});
            const auto me = "principal-" + std::to_string(t);
            for (int n = 0; n < 3000; ++n) {
                const Digest one[] = {pin(n)};
                pins.learn(me, one, mine);
                const auto found = pins.holder_of(me, one);
                if (!found || *found != mine) ++wrong;
                if (t == 0 && n % 500 == 0) pins.limit(roomy);
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(pins.size(), 12'000u);
    pins.limit({.most = 4096, .age = roomy.age});
    EXPECT_EQ(pins.size(), 4096u);
}

} // namespace
