#include "translate/approvals.h"
#include "translate/losses.h"

#include <gtest/gtest.h>

#include <watermaster/translation/carrier.hpp>
#include <watermaster/translation/loss_keys.hpp>

namespace {

using wm::translate::Approvals;
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
        for (const auto& by : {Approvals::of_served_models(), Approvals::of_mounts(), Approvals::strict()})
            EXPECT_FALSE(by.request_may_lose(key)) << key;
    for (std::size_t i = 0; i < wm::sdk::loss_keys.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(wm::sdk::loss_keys[i].key, wm::sdk::loss_keys[j].key);
}

TEST(Approvals, ServedModelsArePermissiveAndMountsAreNot) {
    const auto served = Approvals::of_served_models(), mounts = Approvals::of_mounts(), strict = Approvals::strict();
    for (const auto* key : {"reasoning_summary", "authenticated_thinking", "mid_conversation_system",
                            "responses_controls", "anthropic_controls", "builtin_tools", "usage_unknown",
                            "usage_cache_read_unknown", "usage_cache_write_unknown", "usage_reasoning_unknown",
                            "request_reasoning", "developer_role", "tool_result_error_status"}) {
        EXPECT_TRUE(served.request_may_lose(key)) << key;
        EXPECT_TRUE(mounts.request_may_lose(key)) << key;
        EXPECT_TRUE(mounts.answer_may_lose(key)) << key;
        EXPECT_FALSE(strict.request_may_lose(key)) << key;
    }
    for (const auto* key : {"sampling", "extension_members", "a-plugins-own"}) {
        EXPECT_TRUE(served.request_may_lose(key)) << key;
        EXPECT_FALSE(mounts.request_may_lose(key)) << key;
        EXPECT_FALSE(mounts.answer_may_lose(key)) << key;
    }
    EXPECT_TRUE(served.answer_may_lose("choices")); // what a provider has said is told or not told
}

TEST(Approvals, AreGivenAndWithdrawnByKey) {
    auto some = Approvals::of_mounts();
    some.set("sampling", true);
    some.set("builtin_tools", false);
    EXPECT_TRUE(some.request_may_lose("sampling"));
    EXPECT_FALSE(some.request_may_lose("builtin_tools"));
    EXPECT_TRUE(some.request_may_lose("developer_role"));
    some.set("continuation", true); // the answer would be to another request
    EXPECT_FALSE(some.request_may_lose("continuation"));
}

TEST(Carriers, AreFoundInATextWhereverTheyStand) {
    using wm::sdk::holds_carrier;
    for (const char* text : {"wm1.", "1.wm1.", "wm1wm1.x", "11111 wm1."}) EXPECT_TRUE(holds_carrier(text)) << text;
    for (const char* text : {"", "1", "m1.", "wm1", "wm.1", "wm11.", "w m1."})
        EXPECT_FALSE(holds_carrier(text)) << text;
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
    for (const char* broken : {"wm1.", "wm1.broken", "wm1.openai-responses.not base64"}) {
        const auto back = wm::sdk::uncarry(broken); // no provider has signed it
        ASSERT_TRUE(back) << broken;
        EXPECT_EQ(back->format + back->value, "") << broken;
    }
}

} // namespace
