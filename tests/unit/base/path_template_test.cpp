#include "base/path_template.h"

#include <gtest/gtest.h>

namespace wm {
namespace {

std::string captured(std::string_view text, std::string_view path) {
    const auto found = PathTemplate::parse(text).value().match(path);
    return found ? "<" + std::string(*found) + ">" : "-";
}

TEST(PathTemplate, CapturesOnePartOfAPath) {
    constexpr auto generate = "/v1beta/models/{model}:generate";
    EXPECT_EQ(captured(generate, "/v1beta/models/gemini-2:generate"), "<gemini-2>");
    EXPECT_EQ(captured(generate, "/v1beta/models/a:b:generate"), "<a:b>");
    EXPECT_EQ(captured(generate, "/v1beta/models/a%2Fb:generate"), "<a%2Fb>");
    for (const auto* path : {"/v1beta/models/:generate", "/v1beta/models/a/b:generate", "/v1beta/models/x:generated",
                             "/v1beta/models/x", "/v1beta/models:generate", "/models/x:generate", ""})
        EXPECT_EQ(captured(generate, path), "-") << path;
    EXPECT_EQ(captured("/a/{b}/c", "/a/x/c"), "<x>");
    EXPECT_EQ(captured("/a/{b}/a", "/a/a"), "-"); // the two ends may not share a byte
    EXPECT_EQ(captured("/a/{b}", "/a/x"), "<x>");
}

TEST(PathTemplate, WithoutANameIsThePath) {
    EXPECT_EQ(captured("/v1/messages", "/v1/messages"), "<>");
    EXPECT_EQ(captured("/v1/messages", "/v1/messages/"), "-");
    EXPECT_FALSE(PathTemplate::parse("/v1/messages")->captures());
}

TEST(PathTemplate, RefusesBracesThatNameNoOneThing) {
    for (const auto* text : {"/a/{b", "/a/b}", "/a/{}", "/a/}b{", "/a/{b}/{c}", "/a/{{b}}", "/a/{b/c}", "{b}", "/{b}}"})
        EXPECT_FALSE(PathTemplate::parse(text)) << text;
}

} // namespace
} // namespace wm
