// What of a request is kept to be sent once more. BC-121
#include "mount/upload.h"

#include <gtest/gtest.h>

namespace wm::mount {
namespace {

struct Kept : testing::Test {
    http::HeldBytes bodies;
    std::uint64_t most_of_all = 1u << 20;
    http::HeldBytes::Share share{bodies, most_of_all};
    Outgoing begin(std::uint64_t most) { return Outgoing("HEAD", most, Millis(1000), share); }
};

TEST_F(Kept, UpToItsLimit) {
    auto outgoing = begin(6);
    outgoing.add("abc", false);
    outgoing.add("def", true);
    EXPECT_TRUE(outgoing.repeatable());
    EXPECT_TRUE(outgoing.whole());
    EXPECT_EQ(outgoing.head(), "HEAD");
    EXPECT_EQ(outgoing.kept(), "abcdef");
}

TEST_F(Kept, BeyondItNothing) {
    auto outgoing = begin(5);
    outgoing.add("abc", false);
    outgoing.add("def", false);
    EXPECT_FALSE(outgoing.repeatable());
    EXPECT_EQ(outgoing.kept(), "");
    outgoing.add("g", true);
    EXPECT_EQ(outgoing.kept(), "");
    EXPECT_TRUE(outgoing.whole());
}

TEST_F(Kept, WhatAllBodiesHoldTogetherIsBounded) {
    const std::string large(600'000, 'x');
    auto outgoing = begin(1u << 30);
    outgoing.add(large, false);
    EXPECT_EQ(bodies.held(), 600'000u);
    outgoing.add(large, false); // more than all may hold: it goes on, but cannot be repeated
    EXPECT_FALSE(outgoing.repeatable());
    EXPECT_EQ(bodies.held(), 0u);
}

TEST_F(Kept, NothingOfWhatIsSentOnce) {
    auto outgoing = begin(100);
    outgoing.send_once();
    EXPECT_TRUE(outgoing.repeatable()); // until it goes out
    outgoing.sent();
    EXPECT_FALSE(outgoing.repeatable());
    outgoing.add("abc", true);
    EXPECT_EQ(outgoing.kept(), "");
}

} // namespace
} // namespace wm::mount
