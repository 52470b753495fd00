#include "exchange/local_answers.h"

#include <gtest/gtest.h>

using namespace wm::exchange;

namespace {

TEST(EstimateTokens, StringValuesByFourPlusEight) {
    EXPECT_EQ(estimate_tokens(R"({})"), 8u);
    EXPECT_EQ(estimate_tokens(R"({"a":"1234"})"), 9u);
    EXPECT_EQ(estimate_tokens(R"({"a":"12345","n":1234567890,"b":[true,null,{"keys are free":"x"}]})"), 10u);
    EXPECT_EQ(estimate_tokens("{\"a\":\"\\u00e9\xc3\xa9\"}"), 9u); // UTF-8 bytes, whatever the spelling
}

TEST(EstimateTokens, OnlyObjects) {
    for (const auto* body : {"", "[]", "\"text\"", "1", "null", "{", "{\"a\":}", "{} {}"})
        EXPECT_FALSE(estimate_tokens(body)) << body;
}

TEST(EstimateTokens, DepthIsBounded) {
    const auto nested = [](std::size_t depth) {
        return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
    };
    EXPECT_EQ(estimate_tokens(nested(127)), 8u);
    EXPECT_FALSE(estimate_tokens(nested(128)));
    EXPECT_FALSE(estimate_tokens(nested(1'000'000)));
}

TEST(ModelsDocument, NamesAndAliases) {
    wm::config::Settings settings;
    settings.models.push_back({});
    settings.models.back().name = "m\"1";
    settings.models.back().aliases = {"other"};
    const auto json = models_document(settings);
    EXPECT_NE(json.find(R"({"id":"m\"1","object":"model")"), json.npos) << json;
    EXPECT_NE(json.find(R"("last_id":"other")"), json.npos);
}

} // namespace
