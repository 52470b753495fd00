#include "routing/credential_limits.h"

#include <gtest/gtest.h>

namespace wm::routing {
namespace {

using Keys = std::vector<std::vector<std::string>>; // by backend and credential

RateLimit tokens(std::int64_t remaining) { return {.resource = "tokens", .scope = "", .remaining = remaining}; }

TEST(CredentialLimits, KeepsTheLastOfEachResource) {
    const CredentialLimits limits(Keys{{"a/x", "a/y"}, {"b/x"}});
    EXPECT_TRUE(limits.last(0, 0).empty());
    limits.note(0, 0, {tokens(5), {.resource = "requests", .scope = "project", .limit = 9}}, 100);
    limits.note(0, 0, {tokens(4)}, 200);
    const auto last = limits.last(0, 0);
    ASSERT_EQ(last.size(), 2u);
    EXPECT_EQ(last[0].remaining, 4);
    EXPECT_EQ(last[0].at_ms, 200);
    EXPECT_EQ(last[1].limit, 9);
    EXPECT_EQ(last[1].at_ms, 100);
    EXPECT_TRUE(limits.last(0, 1).empty());
    EXPECT_TRUE(limits.last(1, 0).empty());
}

TEST(CredentialLimits, AreBounded) {
    const CredentialLimits limits(Keys{{"a/x"}});
    for (int i = 0; i < 100; ++i) limits.note(0, 0, {{.resource = "r" + std::to_string(i), .scope = ""}}, i);
    const auto last = limits.last(0, 0);
    EXPECT_EQ(last.size(), 16u);
    for (const auto& one : last) EXPECT_GE(one.at_ms, 84) << "the newest stay";
}

TEST(CredentialLimits, GoOnInTheNextGeneration) {
    const CredentialLimits first(Keys{{"a/x #1", "a/y #2"}});
    first.note(0, 1, {tokens(5)}, 1);
    const CredentialLimits next(Keys{{"b/x #3"}, {"a/y #2", "a/x #changed"}}, &first);
    EXPECT_EQ(next.last(1, 0).at(0).remaining, 5);
    EXPECT_TRUE(next.last(1, 1).empty());
    next.note(1, 0, {tokens(3)}, 2); // an exchange of the first one may still look
    EXPECT_EQ(first.last(0, 1).at(0).remaining, 3);
}

} // namespace
} // namespace wm::routing
