#include "exchange/final_answer.h"

#include <gtest/gtest.h>

using namespace wm;
using namespace wm::exchange;

namespace {

config::Settings settings_with_key(const char* key) {
    config::Settings settings;
    config::Backend backend;
    backend.credentials.push_back({"k", Secret(key)});
    settings.backends.push_back(std::move(backend));
    return settings;
}

TEST(Scrubbed, OrdinaryWordsStay) {
    EXPECT_EQ(scrubbed("model: x is not available, try 'y'", {}), "model: x is not available, try 'y'");
}

TEST(Scrubbed, AddressesAndKeysGo) {
    EXPECT_EQ(scrubbed("see https://up.example/a?b for sk-abcdefghijk0", {}), "see [url] for [redacted]");
    EXPECT_EQ(scrubbed("token 0123456789abcdef0123456789abcdef bad", {}), "token [redacted] bad");
}

TEST(Scrubbed, AConfiguredKeyGoesWhereverItStands) {
    EXPECT_EQ(scrubbed("bad key 'plainword', and plainwordplainword", settings_with_key("plainword")),
              "bad key '[redacted]', and [redacted][redacted]");
}

TEST(Scrubbed, AShortKeyIsNoPartOfAWord) {
    const auto settings = settings_with_key("x");
    EXPECT_EQ(scrubbed("temperature: expected x, not 'x'. rate_limit_exceeded x_y", settings),
              "temperature: expected [redacted], not '[redacted]'. rate_limit_exceeded x_y");
    EXPECT_EQ(scrubbed("key (x), x-y or x", settings), "key ([redacted]), [redacted]-y or [redacted]");
}

TEST(Scrubbed, AReportInAllOfItsTexts) {
    plugin::ErrorReport report{
        .type = "plainword", .message = "m plainword", .code = "c/plainword", .param = "plainword"};
    report = scrubbed(std::move(report), settings_with_key("plainword"));
    for (const auto* text : {&report.type, &report.message, &report.code, &report.param})
        EXPECT_EQ(text->find("plainword"), text->npos) << *text;
}

TEST(TellsKey, WhereScrubbingWouldTakeOne) {
    const auto settings = settings_with_key("plainword");
    const std::string long_text(1 << 20, 'x');
    EXPECT_TRUE(tells_key(long_text + "plainword", settings));
    EXPECT_FALSE(tells_key(long_text + "plain word", settings));
    EXPECT_FALSE(tells_key("x_y", settings_with_key("x")));
    EXPECT_TRUE(tells_key("x y", settings_with_key("x")));
    EXPECT_FALSE(tells_key("", settings_with_key("")));
}

TEST(Scrubbed, WhatIsPublicStays) {
    auto settings = settings_with_key("none");
    settings.backends[0].credentials[0].api_key = Secret::published("none");
    EXPECT_EQ(scrubbed("tool_choice: expected auto or none", settings), "tool_choice: expected auto or none");
}

TEST(Scrubbed, ControlsBecomeSpacesAndLengthIsBounded) {
    EXPECT_EQ(scrubbed("a\r\nb\tc\x01"
                       "d",
                       {}),
              "a b c d");
    EXPECT_LE(scrubbed(std::string(2000, 'x') + "!", {}).size(), 512u);
    std::string text; // never cut inside a character
    for (int i = 0; i < 300; ++i) text += "\xc3\xa9";
    const auto cut = scrubbed(text + " end", {});
    EXPECT_EQ(cut.size() % 2, 0u);
    EXPECT_LE(cut.size(), 512u);
}

} // namespace
