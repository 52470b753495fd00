// What a try says of its upstream, and who is to blame when both sides fail.
#include "mount/verdict.h"

#include <gtest/gtest.h>

namespace wm::mount {
namespace {

constexpr std::int64_t now = 1'445'412'480'000; // Wed, 21 Oct 2015 07:28:00 GMT

Verdict of(int status, const std::string& fields = "") {
    http::ResponseHead head;
    EXPECT_FALSE(head.parse("HTTP/1.1 " + std::to_string(status) + " x\r\n" + fields + "\r\n", false));
    return judge(head, now).verdict;
}

// BC-104 BC-105
TEST(Verdict, OfAnAnswersHead) {
    for (const int status : {101, 200, 204, 304, 400, 401, 403, 404, 408}) EXPECT_EQ(of(status), Verdict::success);
    for (const int status : {500, 502, 503, 529, 599}) EXPECT_EQ(of(status), Verdict::server_error);
    EXPECT_EQ(of(429), Verdict::throttled);
    for (const auto* signal :
         {"Retry-After: 1\r\n", "retry-after: Wed, 21 Oct 2015 07:28:30 GMT\r\n", "X-RateLimit-Limit: 9\r\n",
          "x-ratelimit-remaining-requests: 0\r\n", "RateLimit-Reset: 3\r\n", "ratelimit: limit=1\r\n"})
        EXPECT_EQ(of(403, signal), Verdict::banned) << signal;
    for (const auto* none : {"Retry-After: 0\r\n", "Retry-After: Wed, 21 Oct 2015 07:00:00 GMT\r\n",
                             "Retry-After: soon\r\n", "X-Rate: 1\r\n", "X-My-RateLimit-Limit: 1\r\n"})
        EXPECT_EQ(of(403, none), Verdict::success) << none;
    EXPECT_EQ(of(401, "Retry-After: 9\r\n"), Verdict::success);
}

// BC-109
TEST(Verdict, WhatTheUpstreamShowedOutlivesItsClient) {
    const auto gone = [](std::optional<Verdict> answer) { return verdict_of(answer, End::client_gone, Problem::none); };
    EXPECT_EQ(gone(std::nullopt), Verdict::abandoned);
    EXPECT_EQ(gone(Verdict::success), Verdict::abandoned);
    EXPECT_EQ(gone(Verdict::server_error), Verdict::server_error);
    EXPECT_EQ(gone(Verdict::throttled), Verdict::throttled);
    EXPECT_EQ(gone(Verdict::banned), Verdict::banned);
}

TEST(Verdict, OfHowItEnded) {
    EXPECT_EQ(verdict_of(Verdict::success, End::answered, Problem::none), Verdict::success);
    EXPECT_EQ(verdict_of(Verdict::throttled, End::answered, Problem::none), Verdict::throttled);
    EXPECT_EQ(verdict_of(Verdict::success, End::broken_off, Problem::none), Verdict::transport);
    EXPECT_EQ(verdict_of(Verdict::server_error, End::broken_off, Problem::none), Verdict::server_error);
    const auto failed = [](Problem problem) { return verdict_of(std::nullopt, End::failed, problem); };
    for (const auto problem : {Problem::unreachable, Problem::no_answer, Problem::too_slow})
        EXPECT_EQ(failed(problem), Verdict::transport);
    for (const auto problem : {Problem::bad_body, Problem::slow_body}) EXPECT_EQ(failed(problem), Verdict::abandoned);
    EXPECT_EQ(verdict_of(Verdict::success, End::failed, Problem::unserved_upgrade), Verdict::abandoned);
    EXPECT_EQ(verdict_of(Verdict::success, End::failed, Problem::untold), Verdict::abandoned);
    EXPECT_EQ(verdict_of(Verdict::success, End::failed, Problem::bad_answer), Verdict::malformed);
    for (const auto problem : {Problem::queue_full, Problem::queue_timeout, Problem::unsendable})
        EXPECT_EQ(failed(problem), Verdict::untried);
}

TEST(Verdict, WhichOnesAreFailures) {
    for (const auto verdict :
         {Verdict::server_error, Verdict::throttled, Verdict::banned, Verdict::malformed, Verdict::transport})
        EXPECT_TRUE(is_failure(verdict));
    for (const auto verdict : {Verdict::untried, Verdict::success, Verdict::abandoned})
        EXPECT_FALSE(is_failure(verdict));
}

} // namespace
} // namespace wm::mount
