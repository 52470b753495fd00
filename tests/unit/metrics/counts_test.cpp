#include "metrics/counts.h"

#include <gtest/gtest.h>

#include <thread>

namespace wm::metrics {
namespace {

using records::ExchangeRecord;

ExchangeRecord on_mount(std::string name, bool limited = true) {
    ExchangeRecord record;
    record.mount = std::move(name);
    record.limited = limited;
    record.status = 200;
    record.attempts.push_back({.sequence = 1, .backend = record.mount, .total_ms = 40, .first_byte_ms = 20});
    return record;
}

Totals totals_of(const AllCounts& counts, std::string_view provider) {
    auto all = counts.totals();
    const auto found = all.find(provider);
    return found == all.end() ? Totals() : found->second;
}

TEST(Counts, an_exchange_ends_in_one_way) {
    AllCounts all;
    auto& counts = all.of_one_more_loop();
    counts.settled(on_mount("m"));
    counts.settled(on_mount("m", false));
    auto record = on_mount("m");
    record.aborted = true;
    counts.settled(record);
    record = on_mount("m");
    record.attempts.clear();
    record.error = "queue_full";
    record.status = 429;
    counts.settled(record);
    const auto totals = totals_of(all, "m");
    EXPECT_EQ(totals.clean_proxied, 1);
    EXPECT_EQ(totals.clean_passthrough, 1);
    EXPECT_EQ(totals.aborted, 1);
    EXPECT_EQ(totals.refused.at("queue_full"), 1);
    EXPECT_EQ(totals.by_status, (std::array<std::int64_t, 5>{0, 3, 0, 1, 0})); // an aborted 200 is a 2xx too
    EXPECT_EQ(totals.attempts.at({"", "ok"}), 3);
}

TEST(Counts, tokens_are_the_servers_and_fallbacks_too) {
    AllCounts all;
    auto& counts = all.of_one_more_loop();
    auto record = on_mount("m");
    record.usage = {.input = 9, .input_cached = 4, .output = 2};
    counts.settled(record);
    record.usage = {.output = 3, .output_reasoning = 1};
    record.fallback = true;
    counts.settled(record);
    const auto totals = totals_of(all, "m");
    EXPECT_EQ(totals.tokens, (std::array<std::int64_t, 5>{9, 4, 0, 5, 1}));
    EXPECT_EQ(totals.fallbacks, 1);
}

TEST(Counts, only_limited_exchanges_have_a_wait) {
    AllCounts all;
    auto& counts = all.of_one_more_loop();
    auto record = on_mount("m");
    record.waited_ms = 700;
    counts.settled(record);
    counts.settled(on_mount("m", false));
    const auto wait = totals_of(all, "m").queue_wait;
    EXPECT_EQ(wait.sum_ms, 700);
    EXPECT_EQ(wait.in_bucket[7], 1); // up to 1 s
    EXPECT_EQ(wait.in_bucket[0], 0);
}

TEST(Counts, each_attempt_counts_for_its_backend_and_the_exchange_for_the_last) {
    AllCounts all;
    auto& counts = all.of_one_more_loop();
    ExchangeRecord record;
    record.status = 200;
    record.attempts.push_back(
        {.sequence = 1, .backend = "a", .credential = "k", .total_ms = 10, .failure = FailureClass::provider_capacity});
    record.attempts.push_back(
        {.sequence = 2, .backend = "b", .credential = "k2", .total_ms = 30'001, .first_byte_ms = 9});
    counts.settled(record);
    const auto a = totals_of(all, "a"), b = totals_of(all, "b");
    EXPECT_EQ(a.attempts.at({"k", "provider_capacity"}), 1);
    EXPECT_EQ(a.by_status[1] + a.clean_passthrough, 0);
    EXPECT_EQ(a.total.sum_ms, 10);
    EXPECT_EQ(a.first_byte.sum_ms, 0);
    EXPECT_EQ(b.attempts.at({"k2", "ok"}), 1);
    EXPECT_EQ(b.by_status[1], 1);
    EXPECT_EQ(b.clean_passthrough, 1);
    EXPECT_EQ(b.first_byte.in_bucket[1], 1);
    EXPECT_EQ(b.total.in_bucket[12], 1); // up to 60 s
}

TEST(Counts, what_has_no_upstream_is_the_gateways_and_health_is_nothing) {
    AllCounts all;
    auto& counts = all.of_one_more_loop();
    ExchangeRecord record;
    record.status = 200;
    record.path = "/healthz";
    counts.settled(record);
    EXPECT_TRUE(all.totals().empty());
    record.status = 401;
    record.error = "unauthorized";
    counts.settled(record);
    EXPECT_EQ(totals_of(all, no_provider).refused.at("unauthorized"), 1);
    EXPECT_EQ(totals_of(all, no_provider).by_status[3], 1);
}

TEST(Counts, loops_add_up_while_they_count) {
    constexpr int loops = 3, each = 20'000;
    AllCounts all;
    std::vector<std::thread> threads;
    for (int i = 0; i < loops; ++i)
        threads.emplace_back([&counts = all.of_one_more_loop()] {
            for (int n = 0; n < each; ++n) {
                auto record = on_mount("m" + std::to_string(n % 7));
                const During active(counts.provider(record.mount).active);
                counts.settled(record);
            }
        });
    std::int64_t before = 0;
    const auto sum = [&] {
        std::int64_t clean = 0;
        for (const auto& [name, totals] : all.totals()) clean += totals.clean_proxied;
        return clean;
    };
    for (int look = 0; look < 200; ++look) {
        const auto now = sum();
        EXPECT_GE(now, before); // a count never goes back
        before = now;
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(sum(), loops * each);
    for (const auto& [name, totals] : all.totals()) EXPECT_EQ(totals.active, 0);
}

} // namespace
} // namespace wm::metrics
