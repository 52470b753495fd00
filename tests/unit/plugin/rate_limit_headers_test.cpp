#include "plugin/rate_limit_headers.h"

#include <gtest/gtest.h>

namespace wm::plugin {
namespace {

constexpr std::int64_t now = 1'790'000'000'000; // 2026-09-21T14:13:20Z

std::string told(std::string_view family, std::vector<PairView> headers) {
    const auto text = [](std::optional<std::int64_t> n) { return n ? std::to_string(*n) : std::string("-"); };
    std::string out;
    for (const auto& one : read_rate_limit_headers(family, headers, now)) {
        out += one.resource + (one.scope.empty() ? "" : "@" + one.scope) + ' ' + text(one.limit) + ' ';
        out += text(one.remaining) + ' ' + text(one.reset_ms) + ';';
    }
    return out;
}

std::string reset(std::string_view value) { return told("openai", {{"x-ratelimit-reset-tokens", value}}); }

TEST(RateLimitHeaders, OfOpenai) {
    EXPECT_EQ(told("openai", {{"X-RateLimit-Limit-Requests", "500"},
                              {"content-type", "application/json"},
                              {"x-ratelimit-remaining-requests", " 499 "},
                              {"x-ratelimit-reset-requests", "120ms"},
                              {"x-ratelimit-limit-tokens", "30000"},
                              {"x-ratelimit-remaining-tokens", "29000"},
                              {"x-ratelimit-reset-tokens", "6m0.5s"},
                              {"x-ratelimit-remaining-project-tokens", "7"}}),
              "requests 500 499 120;tokens 30000 29000 360500;tokens@project - 7 -;");
}

TEST(RateLimitHeaders, OfAnthropic) {
    EXPECT_EQ(told("anthropic", {{"anthropic-ratelimit-requests-limit", "50"},
                                 {"anthropic-ratelimit-requests-remaining", "49"},
                                 {"anthropic-ratelimit-requests-reset", "2026-09-21T14:13:21Z"},
                                 {"anthropic-ratelimit-input-tokens-remaining", "1000"},
                                 {"anthropic-ratelimit-input-tokens-reset", "2026-09-21T16:13:22.5+02:00"},
                                 {"anthropic-ratelimit-output-tokens-reset", "2026-09-21T14:13:19Z"}}),
              "requests 50 49 1000;input_tokens - 1000 2500;output_tokens - - 0;");
}

TEST(RateLimitHeaders, Durations) {
    EXPECT_EQ(reset("1h2m3s"), "tokens - - 3723000;");
    EXPECT_EQ(reset("0s"), "tokens - - 0;");
    EXPECT_EQ(reset("1.5"), "tokens - - 1500;"); // seconds
    EXPECT_EQ(reset("0.2ms"), "tokens - - 1;");  // rounded up: not yet full
    EXPECT_EQ(reset("999999999999d"), "tokens - - 31622400000;");
}

TEST(RateLimitHeaders, WhatCannotBeReadIsLeftOut) {
    for (const char* value : {"", "s", "5x", "-1s", "1s2", "nan", "inf", "1e3s", "5 s"}) EXPECT_EQ(reset(value), "");
    for (const char* value : {"-1", "1.5", "many", "99999999999999999999"})
        EXPECT_EQ(told("openai", {{"x-ratelimit-limit-tokens", value}}), "") << value;
    for (const char* value : {"soon", "", "12"})
        EXPECT_EQ(told("anthropic", {{"anthropic-ratelimit-tokens-reset", value}}), "") << value;
    EXPECT_EQ(
        told("openai", {{"x-ratelimit-limit", "5"}, {"x-ratelimit-limit-", "5"}, {"x-ratelimit-new-tokens", "5"}}), "");
    EXPECT_EQ(told("anthropic", {{"anthropic-ratelimit-limit", "5"}, {"anthropic-ratelimit--limit", "5"}}), "");
    EXPECT_EQ(told("acme", {{"x-ratelimit-limit-tokens", "5"}}), "");
}

TEST(RateLimitHeaders, AreBounded) {
    std::vector<std::string> names;
    for (int i = 0; i < 100; ++i) names.push_back("x-ratelimit-limit-r" + std::to_string(i));
    names.push_back("x-ratelimit-limit-" + std::string(65, 'r'));
    std::vector<PairView> headers;
    for (const auto& name : names) headers.push_back({name, "1"});
    EXPECT_EQ(read_rate_limit_headers("openai", headers, now).size(), 16u);
    EXPECT_TRUE(read_rate_limit_headers("openai", {&headers.back(), 1}, now).empty());
}

} // namespace
} // namespace wm::plugin
