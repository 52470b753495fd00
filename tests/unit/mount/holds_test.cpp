// How long nobody gets a permit after its request.
#include "mount/holds.h"

#include <gtest/gtest.h>

namespace wm::mount {
namespace {

using namespace std::chrono_literals;

const config::Holds usual;

// BC-090 BC-091 BC-092 BC-093 BC-094
TEST(Hold, WhatIsDueAddsUp) {
    EXPECT_EQ(hold_after(usual, Verdict::success, 0ms), 200ms);
    EXPECT_EQ(hold_after(usual, Verdict::abandoned, 0ms), 400ms);
    for (const auto failure :
         {Verdict::server_error, Verdict::throttled, Verdict::banned, Verdict::malformed, Verdict::transport}) {
        EXPECT_EQ(hold_after(usual, failure, 0ms), 2'200ms);
        EXPECT_EQ(hold_after(usual, failure, 5s), 5'200ms) << "the penalty in place of the failure hold";
    }
}

TEST(Hold, NothingIsDueWhereNothingWasAsked) { EXPECT_EQ(hold_after(usual, Verdict::untried, 0ms), 0ms); }

TEST(Hold, ASuccessMayHaveToSettle) {
    const config::Holds broker{.settle = 700ms, .release_cooldown = 0ms, .cancel_cooldown = 0ms, .failure_hold = 0ms};
    EXPECT_EQ(hold_after(broker, Verdict::success, 0ms), 700ms);
    EXPECT_EQ(hold_after(broker, Verdict::throttled, 0ms), 0ms);
    EXPECT_EQ(hold_after(broker, Verdict::abandoned, 0ms), 0ms);
}

// BC-099
TEST(Hold, EachMayBeZero) {
    const config::Holds none{.release_cooldown = 0ms, .cancel_cooldown = 0ms, .failure_hold = 0ms};
    for (const auto verdict : {Verdict::success, Verdict::abandoned, Verdict::server_error, Verdict::throttled})
        EXPECT_EQ(hold_after(none, verdict, 0ms), 0ms);
}

} // namespace
} // namespace wm::mount
