#include "translate/losses.h"

#include <gtest/gtest.h>

#include <watermaster/translation/carrier.hpp>
#include <watermaster/translation/loss_keys.hpp>

namespace {

using wm::translate::Losses;

TEST(Losses, EachIsToldOnceAndNotesAreNoLosses) {
    Losses losses;
    EXPECT_TRUE(losses.add("sampling", "top_k", false));
    EXPECT_FALSE(losses.add("sampling", "top_k", false));
    EXPECT_TRUE(losses.add("sampling", "seed", false));
    EXPECT_TRUE(losses.add("media", "tool_result.image", true));
    EXPECT_EQ(losses.all().size(), 3u);
    EXPECT_EQ(losses.text(), "sampling=top_k, sampling=seed");
}

TEST(Losses, AreFitForAHeaderField) {
    Losses losses;
    losses.add("extension_members", "a\r\nX-Evil: 1, b=\"c\"\xff", false);
    EXPECT_EQ(losses.text(), "extension_members=a??X-Evil:?1??b??c??");
}

TEST(Losses, AreBounded) {
    Losses losses;
    for (int i = 0; i < 500; ++i) losses.add("extension_members", "member" + std::to_string(i), false);
    EXPECT_EQ(losses.all().size(), 64u);
    EXPECT_LE(losses.text().size(), 1024u + 32u);
    EXPECT_TRUE(losses.text().ends_with(" more")) << losses.text();
}

TEST(LossKeys, WhatChangesTheAnswerIsApprovedByNoDefault) {
    for (const auto* key :
         {"choices", "logprobs", "output_format", "modalities", "continuation", "tool_choice", "custom_tools"})
        EXPECT_FALSE(wm::sdk::approved_on_served_models(key)) << key;
    EXPECT_TRUE(wm::sdk::approved_on_served_models("sampling"));
    EXPECT_TRUE(wm::sdk::approved_on_served_models("a-plugins-own"));
    for (std::size_t i = 0; i < wm::sdk::loss_keys.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(wm::sdk::loss_keys[i].key, wm::sdk::loss_keys[j].key);
}

TEST(Carriers, GiveBackWhatTheyWereGiven) {
    std::string value;
    for (int i = 0; i < 40; ++i) {
        const auto text = wm::sdk::carry("openai-responses", value);
        EXPECT_EQ(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."),
                  text.npos);
        const auto back = wm::sdk::uncarry(text);
        ASSERT_TRUE(back);
        EXPECT_EQ(back->format, "openai-responses");
        EXPECT_EQ(back->value, value);
        value.push_back(static_cast<char>(i * 37));
    }
    EXPECT_EQ(wm::sdk::carry({}, {}), "wm1.none.");
    EXPECT_EQ(wm::sdk::uncarry("wm1.none.")->format, "");
    EXPECT_FALSE(wm::sdk::uncarry("EqoBCkgIARABGAIiQL2UoU0b1OHYi+"));
    EXPECT_FALSE(wm::sdk::uncarry("wm1.broken"));
}

} // namespace
