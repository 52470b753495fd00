#include "plugin/edit.h"

#include <gtest/gtest.h>
#include <vector>

namespace wm::plugin {
namespace {

std::string edited(std::string_view body, std::vector<Pair> edits) { return apply_members(body, edits); }

TEST(ApplyMembers, ReplacesAValueAndNothingElse) {
    EXPECT_EQ(edited("{ \"a\" : 1e400 ,\n\t\"b\": [ 1, 2 ] , \"c\":\"\\u00e9\" }\n", {{"b", "{}"}}),
              "{ \"a\" : 1e400 ,\n\t\"b\": {} , \"c\":\"\\u00e9\" }\n");
}

TEST(ApplyMembers, AddsAtTheEnd) {
    EXPECT_EQ(edited(R"({"a":1})", {{"b", "2"}, {"c\"", "3"}}), R"({"a":1,"b":2,"c\"":3})");
    EXPECT_EQ(edited("{}", {{"b", "2"}}), R"({"b":2})");
    EXPECT_EQ(edited("{ }", {{"b", "2"}}), R"({"b":2 })");
}

TEST(ApplyMembers, RemovesWithOneComma) {
    constexpr std::string_view body = R"({"a":1, "b":2, "c":3})";
    EXPECT_EQ(edited(body, {{"a", ""}}), R"({ "b":2, "c":3})");
    EXPECT_EQ(edited(body, {{"b", ""}}), R"({"a":1, "c":3})");
    EXPECT_EQ(edited(body, {{"c", ""}}), R"({"a":1, "b":2})");
    EXPECT_EQ(edited(body, {{"a", ""}, {"b", ""}}), R"({ "c":3})");
    EXPECT_EQ(edited(body, {{"a", ""}, {"b", ""}, {"c", ""}}), "{}");
    EXPECT_EQ(edited(body, {{"a", ""}, {"b", ""}, {"c", ""}, {"d", "4"}}), R"({"d":4})");
    EXPECT_EQ(edited(body, {{"x", ""}}), body);
}

TEST(ApplyMembers, LeavesNoOldValueBehind) {
    EXPECT_EQ(edited(R"({"a":1,"\u0061":2,"b":3,"a":4})", {{"a", "9"}}), R"({"a":9,"b":3})");
    EXPECT_EQ(edited(R"({"\u0061":2,"b":3,"a":4})", {{"a", ""}}), R"({"b":3})");
}

TEST(ApplyMembers, TheLastEditOfANameWins) {
    EXPECT_EQ(edited(R"({"a":1})", {{"a", "2"}, {"a", "3"}, {"b", "4"}, {"b", "5"}}), R"({"a":3,"b":5})");
    EXPECT_EQ(edited(R"({"a":1})", {{"a", "2"}, {"a", ""}}), "{}");
    EXPECT_EQ(edited(R"({})", {{"a", "2"}, {"a", ""}}), "{}");
}

TEST(ApplyMembers, LeavesNestedMembersAndOtherDocumentsAlone) {
    EXPECT_EQ(edited(R"({"x":{"a":1},"y":[{"a":1}]})", {{"a", ""}}), R"({"x":{"a":1},"y":[{"a":1}]})");
    for (const std::string_view body : {"", "[1]", "{\"a\":", "{\"a\":1} x", "null"})
        EXPECT_EQ(edited(body, {{"a", "2"}}), body);
}

} // namespace
} // namespace wm::plugin
