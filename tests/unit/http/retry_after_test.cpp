#include "http/retry_after.h"

#include <gtest/gtest.h>

namespace wm::http {
namespace {

constexpr std::int64_t now = 1'445'412'480'000; // Wed, 21 Oct 2015 07:28:00 GMT

std::optional<std::int64_t> asked(const std::string& value, const std::string& more = "") {
    ResponseHead head;
    EXPECT_FALSE(head.parse("HTTP/1.1 429 Slow\r\nRetry-After: " + value + "\r\n" + more + "\r\n", false));
    const auto time = retry_after(head, now);
    return time ? std::optional(time->count()) : std::nullopt;
}

TEST(RetryAfter, Seconds) {
    EXPECT_EQ(asked("0"), 0);
    EXPECT_EQ(asked(" 120 "), 120'000);
}

TEST(RetryAfter, ADateByTheClockThatWroteIt) {
    const std::string date = "Date: Tue, 20 Oct 2015 07:28:00 GMT\r\n"; // a day behind ours
    EXPECT_EQ(asked("Tue, 20 Oct 2015 07:28:30 GMT", date), 30'000);
    EXPECT_EQ(asked("Tue, 20 Oct 2015 07:28:00 GMT", date), 0);
    EXPECT_EQ(asked("Tue, 20 Oct 2015 07:00:00 GMT", date), 0);
}

TEST(RetryAfter, ADateOfAnUnknownClockMayBeASecondOff) {
    EXPECT_EQ(asked("Wed, 21 Oct 2015 07:28:30 GMT"), 31'000);
    EXPECT_EQ(asked("Wednesday, 21-Oct-15 07:28:30 GMT", "Date: today\r\n"), 31'000);
    EXPECT_EQ(asked("Wed, 21 Oct 2015 07:28:00 GMT"), 1'000);
    EXPECT_EQ(asked("Wed, 21 Oct 2015 07:00:00 GMT"), 0);
}

TEST(RetryAfter, AnythingElseIsNoHint) {
    for (const auto* value : {"", "-1", "1.5", "soon", "99999999999999", "0x10", "10s"})
        EXPECT_FALSE(asked(value)) << value;
}

} // namespace
} // namespace wm::http
