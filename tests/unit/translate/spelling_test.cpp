#include "translate/spelling.h"

#include <gtest/gtest.h>

namespace wm::translate {
namespace {

TEST(Spellings, ReplaceTheLongestBeginningOfWholeWords) {
    plugin::TranscoderFacts protocol;
    protocol.spellings = {{"stop", "halt"}, {"message", "turns"}, {"message.role", "turns.who"}};
    EXPECT_EQ(spelled(protocol, "stop_sequences", "stop"), "halt");
    EXPECT_EQ(spelled(protocol, "media", "message.image"), "turns.image");
    EXPECT_EQ(spelled(protocol, "developer_role", "message.role"), "turns.who");
    EXPECT_EQ(spelled(protocol, "media", "messages"), "messages");
    EXPECT_EQ(spelled(protocol, "sampling", "seed"), "seed");
    EXPECT_EQ(spelled(protocol, "sampling", ""), "");
}

TEST(Spellings, LeaveMembersThatTheClientNamed) {
    plugin::TranscoderFacts protocol;
    protocol.spellings = {{"stop", "halt"}, {"message", "turns"}};
    EXPECT_EQ(spelled(protocol, "extension_members", "stop"), "stop");
    EXPECT_EQ(spelled(protocol, "extension_members", "message.mood"), "turns.mood");
}

} // namespace
} // namespace wm::translate
