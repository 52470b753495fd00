#include "explain/show.h"

#include "../exchange/rig.h"

#include <gtest/gtest.h>

using namespace wm;

namespace {

struct Shown : testing::Test {
    Rig rig{Layers{{0}, {1}}, {std::nullopt, 2}};
    policy::Counters counters;
    policy::Policies policies{Rig::library(), counters, rig.clock};

    explain::Explanation ask(const std::string& model) {
        const explain::Question question{
            "POST /v1/chat/completions?key=canary HTTP/1.1\r\nHost: h\r\nx-api-key: canary\r\n"
            "Content-Length: 1\r\n\r\n",
            model,
            {}};
        return explain::explain(rig.x.generation(), rig.site.pins, policies, Random(1), rig.clock, false, question);
    }
};

TEST_F(Shown, WhatWouldBeTried) {
    auto failing = rig.circuits().admit(0);
    std::get<routing::Pass>(failing).fail(FailureClass::provider_quota, false, 90'000);
    const auto told = ask("m");
    const auto& settings = *rig.settings;
    EXPECT_EQ(to_text(told, settings),
              "decision  try b1/k m, in layer layer1\n"
              "endpoint  POST /v1/chat/completions (inference, openai-chat)\n"
              "principal anonymous, tenant anonymous, priority medium\n"
              "model     m\n"
              "layer     layer0: ordered by allocation/random, reason single-target\n"
              "  1. b0/k m: native, circuit open for provider_quota at level 1, to be probed in 90 s\n"
              "layer     layer1: ordered by allocation/random, reason single-target\n"
              "  1. b1/k m: native, concurrency: 0 of 2 permits in use\n");
    const auto json = to_json(told, settings);
    for (
        const auto* part :
        {R"("decision":"attempt","target":{"layer":"layer1","backend":"b1","credential":"k","upstream_model":"m"})",
         R"("standing":"circuit_open","protocol":"native","losses":[],"circuit":{"state":"open","reason":"provider_quota","level":1,)",
         R"("limiters":[{"limiter":"concurrency","gate":{"limit":2,"in_use":0,"held":0,"waiting":0,"waits":0}}])",
         R"("model":{"requested":"m","served":"m","alias":false})"})
        EXPECT_NE(json.find(part), json.npos) << part << "\n" << json;
    EXPECT_EQ((json + to_text(told, settings)).find("canary"), json.npos);
}

TEST_F(Shown, WhatWouldBeRefused) {
    const auto told = ask("canary");
    const auto text = to_text(told, *rig.settings), json = to_json(told, *rig.settings);
    EXPECT_TRUE(text.starts_with("decision  refuse with 404 model_not_found: the requested model is not served here"))
        << text;
    EXPECT_NE(json.find(R"("decision":"refuse","refusal":{"code":"model_not_found","status":404,)"), json.npos) << json;
    EXPECT_EQ((json + text).find("canary"), json.npos);
}

} // namespace
