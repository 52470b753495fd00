#include <watermaster/json_text.hpp>

#include <gtest/gtest.h>

namespace {

using namespace wm::sdk::json;

constexpr const char* bad = "\xEF\xBF\xBD";

TEST(Text, Decodes) {
    EXPECT_EQ(text(""), "");
    EXPECT_EQ(text(R"(plain)"), "plain");
    EXPECT_EQ(text(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
    EXPECT_EQ(text(R"(\u0041\u00e9\u5317)"), "A\xC3\xA9\xE5\x8C\x97");
    EXPECT_EQ(text(R"(\u0000x)"), std::string("\0x", 2));
    EXPECT_EQ(text("\xE5\x8C\x97\xF0\x9F\x99\x82"), "\xE5\x8C\x97\xF0\x9F\x99\x82");
}

TEST(Text, JoinsSurrogatesAndReplacesLoneOnes) {
    EXPECT_EQ(text(R"(\ud83d\ude42)"), "\xF0\x9F\x99\x82");
    EXPECT_EQ(text(R"(\uD83D\uDE42)"), "\xF0\x9F\x99\x82");
    EXPECT_EQ(text(R"(\ud83d)"), bad);
    EXPECT_EQ(text(R"(\ude42)"), bad);
    EXPECT_EQ(text(R"(\ud83dx)"), std::string(bad) + "x");
    EXPECT_EQ(text(R"(\ud83d\n)"), std::string(bad) + "\n");
    EXPECT_EQ(text(R"(\ud83d\u0041)"), std::string(bad) + "A");
    EXPECT_EQ(text(R"(\ud83d\ud83d\ude42)"), std::string(bad) + "\xF0\x9F\x99\x82");
    EXPECT_EQ(text(R"(\ude42\ud83d)"), std::string(bad) + bad);
}

TEST(Text, ReplacesWhatIsNotUtf8) {
    EXPECT_EQ(text("\xff"), bad);
    EXPECT_EQ(text("\xC0\xAF"), std::string(bad) + bad); // overlong
    EXPECT_EQ(text("\xE5\x8C"), bad);                    // cut
    EXPECT_EQ(text("\xE5\x8Cx"), std::string(bad) + "x");
    EXPECT_EQ(text("\xED\xA0\x80"), bad);     // a surrogate
    EXPECT_EQ(text("\xF4\x90\x80\x80"), bad); // beyond Unicode
    EXPECT_EQ(text("\xE0\x80\x80"), bad);     // overlong
}

TEST(Text, SurvivesBodiesThatWereNeverChecked) {
    for (const char* body : {"\\", "\\u", "\\u12", "\\ud83d\\", "\\ud83d\\u", "\\ud83d\\u12", "\\q"})
        EXPECT_FALSE(text(body).empty()) << body;
}

TEST(Names, CompareUnescaped) {
    EXPECT_TRUE(body_is("model", "model"));
    EXPECT_TRUE(body_is(R"(\u006dodel)", "model"));
    EXPECT_FALSE(body_is("Model", "model"));
    EXPECT_FALSE(body_is("model2", "model"));
    EXPECT_FALSE(body_is("mode", "model"));
    EXPECT_FALSE(body_is("", "model"));
    EXPECT_FALSE(body_is(R"(model\u0000)", "model"));
}

TEST(Names, CompareFolded) {
    for (const char* name : {"model", "Model", "MODEL", R"(\u004dodel)", R"(mo\u0044el)"})
        EXPECT_TRUE(body_folds_to(name, "model")) << name;
    for (const char* name : {"stream", "\xC5\xBFtream", R"(\u017ftream)", R"(\u017FTREAM)"})
        EXPECT_TRUE(body_folds_to(name, "stream")) << name;
    EXPECT_TRUE(body_folds_to("\xE2\x84\xAA", "k"));
    EXPECT_TRUE(body_folds_to(R"(\u212a)", "k"));
    EXPECT_FALSE(body_folds_to("m\xC3\xB6"
                               "del",
                               "model"));
    EXPECT_FALSE(body_folds_to("models", "model"));
    EXPECT_FALSE(body_folds_to("mode", "model"));
}

} // namespace
