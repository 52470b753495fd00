// When a mount sends a request again, and after which wait: on a clock that the test tells.
#include "manual_clock.h"
#include "mount/retries.h"

#include <gtest/gtest.h>

namespace wm::mount {
namespace {

using namespace std::chrono_literals;

struct Waits : testing::Test {
    config::RetryRules rules;
    ManualClock clock;
    Random random{7};
    config::Breaker circuit{.on = false};
    Breaker breaker{circuit, clock};
    Breaker::Pass pass = std::get<Breaker::Pass>(breaker.admit());
    Millis total{2h};

    Retries begin() { return Retries(rules, clock.now() + total, random, pass); }
    // The waits after failures that come one behind the other, until one stands.
    std::vector<Millis> waits(const std::vector<Verdict>& failures, std::optional<Millis> asked = {}) {
        auto retries = begin();
        std::vector<Millis> out;
        for (const auto failure : failures) {
            const auto at = retries.next(failure, asked, clock.now());
            if (!at) break;
            const auto wait = std::chrono::duration_cast<Millis>(*at - clock.now());
            out.push_back(wait);
            clock.advance(wait);
        }
        return out;
    }
    std::vector<Millis> waits(std::size_t times, Verdict failure, std::optional<Millis> asked = {}) {
        return waits(std::vector<Verdict>(times, failure), asked);
    }
    bool retried(Verdict failure) { return begin().next(failure, {}, clock.now()).has_value(); }
};

// BC-120
TEST_F(Waits, AsManyAsRetrySays) {
    rules.max_time = 0ms;
    total = 24h;
    for (const unsigned most : {0u, 1u, 3u}) {
        rules.most = most;
        EXPECT_EQ(waits(9, Verdict::server_error).size(), most);
        EXPECT_EQ(waits(9, Verdict::transport).size(), most);
    }
    rules.most = std::nullopt;
    EXPECT_EQ(waits(500, Verdict::server_error).size(), 500u);
    rules.most = 2;
    EXPECT_EQ(waits({Verdict::server_error, Verdict::transport, Verdict::server_error}).size(), 2u);
}

// BC-124
TEST_F(Waits, OnlyTheFailuresOfRetryOn) {
    EXPECT_TRUE(retried(Verdict::server_error));
    EXPECT_TRUE(retried(Verdict::transport));
    EXPECT_FALSE(retried(Verdict::throttled));
    for (const auto never : {Verdict::success, Verdict::banned, Verdict::malformed, Verdict::abandoned})
        EXPECT_FALSE(retried(never));
    rules.on_429 = true;
    EXPECT_TRUE(retried(Verdict::throttled));
    rules.on_5xx = rules.on_transport = false;
    EXPECT_FALSE(retried(Verdict::server_error));
    EXPECT_FALSE(retried(Verdict::transport));
    rules.most = 0;
    EXPECT_FALSE(retried(Verdict::throttled));
}

// BC-122
TEST_F(Waits, TheyDoubleWithinAQuarterAndBetweenTheirBounds) {
    rules.wait_min = 100ms;
    rules.wait_max = 1s;
    rules.min_delay = 0ms;
    bool differ = false;
    std::vector<Millis> before;
    for (int round = 0; round < 200; ++round) {
        const auto all = waits(8, Verdict::server_error);
        ASSERT_EQ(all.size(), 8u);
        auto middle = 100ms;
        for (const auto wait : all) {
            EXPECT_GE(wait, std::max<Millis>(100ms, middle * 3 / 4));
            EXPECT_LE(wait, std::min<Millis>(1s, middle * 5 / 4));
            middle = std::min<Millis>(middle * 2, 1s);
        }
        differ = differ || (!before.empty() && before != all);
        before = all;
    }
    EXPECT_TRUE(differ);
}

// BC-123
TEST_F(Waits, NoneIsShorterThanTheMinimumDelay) {
    rules.wait_min = rules.wait_max = 10ms;
    EXPECT_EQ(waits(3, Verdict::server_error), (std::vector<Millis>{1s, 1s, 1s}));
    rules.min_delay = 0ms;
    EXPECT_EQ(waits(1, Verdict::server_error), std::vector<Millis>{10ms});
}

// BC-126
TEST_F(Waits, RetryAfterIsALowerBoundUpToItsCap) {
    rules.wait_min = rules.wait_max = 2s;
    EXPECT_EQ(waits(1, Verdict::server_error, 0ms), std::vector<Millis>{2s});
    EXPECT_EQ(waits(1, Verdict::server_error, 1s), std::vector<Millis>{2s});
    EXPECT_EQ(waits(1, Verdict::server_error, 9s), std::vector<Millis>{9s});
    EXPECT_EQ(waits(1, Verdict::server_error, 1h), std::vector<Millis>{60s});
    rules.after_cap = 0ms;
    rules.max_time = 0ms;
    EXPECT_EQ(waits(1, Verdict::server_error, 1h), std::vector<Millis>{1h});
}

TEST_F(Waits, NoWaitIsBegunThatWouldGoPastItsTime) {
    rules.wait_min = rules.wait_max = 10s;
    rules.max_time = 35s;
    EXPECT_EQ(waits(9, Verdict::server_error).size(), 3u);
    EXPECT_EQ(waits(9, Verdict::server_error, 36s).size(), 0u);
    total = 20s; // of the whole exchange
    EXPECT_EQ(waits(9, Verdict::server_error).size(), 1u);
    total = 2h;
    auto retries = begin(); // a long attempt before the first failure uses up nothing
    clock.advance(1h);
    EXPECT_TRUE(retries.next(Verdict::server_error, {}, clock.now()));
}

// SP-010 SP-011
TEST_F(Waits, ThoseOf429AreAListBoundedByTimeAlone) {
    rules.on_429 = true;
    rules.most = 1;
    rules.waits_429 = {2s, 3s, 5s, 5s, 8s, 8s, 10s};
    EXPECT_EQ(waits(99, Verdict::throttled), (std::vector<Millis>{2s, 3s, 5s, 5s, 8s, 8s, 10s, 10s})); // 51 s
    EXPECT_EQ(waits(2, Verdict::throttled, 4s), (std::vector<Millis>{4s, 4s}));
    rules.max_time_429 = 0ms;
    EXPECT_EQ(waits(99, Verdict::throttled).size(), 32u); // retry_max_time: 41 s and 25 more tens
    rules.waits_429.clear();
    rules.wait_min = rules.wait_max = 10s;
    EXPECT_EQ(waits(99, Verdict::throttled).size(), 30u);
    rules.max_time_429 = 25s;
    EXPECT_EQ(waits(99, Verdict::throttled).size(), 2u);
}

TEST_F(Waits, The429sDoNotCountAsRetriesOfAnotherKind) {
    rules.on_429 = true;
    rules.most = 1;
    using V = Verdict;
    EXPECT_EQ(waits({V::throttled, V::throttled, V::server_error, V::throttled, V::server_error}).size(), 4u);
}

// The circuit is told each failure, and an open one ends the tries.
TEST_F(Waits, ThereIsAnotherTryOnlyWithTheCircuitsLeave) {
    EXPECT_TRUE(begin().leave(Verdict::server_error, {})); // turned off
    circuit.on = true;
    circuit.threshold = 3;
    breaker.configure(circuit);
    pass = std::get<Breaker::Pass>(breaker.admit());
    auto retries = begin();
    EXPECT_TRUE(retries.leave(Verdict::server_error, {}));
    EXPECT_TRUE(retries.leave(Verdict::transport, {}));
    EXPECT_EQ(breaker.state()->failures, 2u);
    EXPECT_FALSE(retries.leave(Verdict::server_error, {}));
    EXPECT_EQ(breaker.state()->mode, Breaker::Mode::open);
    EXPECT_GE(pass.settle(Verdict::server_error, {}), 2s); // it was told already, but the permit is to be held
    EXPECT_EQ(breaker.state()->failures_in_a_row, 3u);
}

// BC-128
TEST(Exhausted, AWordOfTheListAsAJsonString) {
    const std::vector<std::string> words{"insufficient_quota", "spent"};
    EXPECT_TRUE(says_exhausted(R"({"error":{"type":"x","code":"insufficient_quota"}})", words));
    EXPECT_TRUE(says_exhausted(R"({"code": "spent"})", words));
    EXPECT_FALSE(says_exhausted(R"({"error":{"code":"rate_limit_exceeded"}})", words));
    EXPECT_FALSE(says_exhausted(R"({"message":"insufficient_quota is not it"})", words));
    EXPECT_FALSE(says_exhausted("", words));
    EXPECT_FALSE(says_exhausted(R"({"code":"spent"})", {}));
}

} // namespace
} // namespace wm::mount
