#include "exchange/classify.h"

#include <gtest/gtest.h>

using namespace wm::exchange;

namespace {

constexpr std::int64_t now = 1'445'412'480'000; // Wed, 21 Oct 2015 07:28:00 GMT

TEST(RetryAfter, Seconds) {
    EXPECT_EQ(parse_retry_after("0", now), 0);
    EXPECT_EQ(parse_retry_after(" 120 ", now), 120'000);
}

TEST(RetryAfter, DateInTheFutureOrThePast) {
    EXPECT_EQ(parse_retry_after("Wed, 21 Oct 2015 07:28:30 GMT", now), 30'000);
    EXPECT_EQ(parse_retry_after("Wed, 21 Oct 2015 07:00:00 GMT", now), 0);
}

TEST(RetryAfter, AnythingElseIsNoHint) {
    for (const auto* value : {"", "-1", "1.5", "soon", "99999999999999", "0x10", "10s"})
        EXPECT_FALSE(parse_retry_after(value, now)) << value;
}

} // namespace
