#include "plugin/facts_json.h"

#include <gtest/gtest.h>

namespace wm::plugin {
namespace {

const std::string operations = R"("operations":[{"id":"create","path":"/v1/x"}])";
const std::string protocols = R"("protocols":[{"id":"p",)" + operations + "}]";

std::string refused(const std::string& json) {
    const auto facts = parse_adapter_facts(json);
    return facts ? "" : facts.error();
}
std::string adapter(const std::string& more) {
    return R"({"id":"a","endpoint":"url",)" + protocols + (more.empty() ? "" : "," + more) + "}";
}

TEST(AdapterFacts, AreReadWithTheirDefaults) {
    const auto facts = parse_adapter_facts(adapter(""));
    ASSERT_TRUE(facts) << facts.error();
    EXPECT_EQ(facts->id, "a");
    EXPECT_EQ(facts->protocols[0].id, "p");
    EXPECT_EQ(facts->protocols[0].operations[0].method, "POST");
    EXPECT_EQ(facts->framing("p", "create"), framing::Framing::sse);
    EXPECT_TRUE(facts->models_open);
    EXPECT_TRUE(facts->ask_usage);
    EXPECT_EQ(facts->failure_policy, "generic");
}

TEST(AdapterFacts, AreReadInFull) {
    const auto facts = parse_adapter_facts(
        R"({"id":"a","endpoint":"own","hosts":["h.example"],)" + protocols +
        R"(,"models":[{"name":"m","protocols":["p"],"max_output":4096}],"auth":["header","none"],)"
        R"("guarded_members":["Models"],"ask_usage":false,"failure_policy":"acme","rate_limit_family":"openai",)"
        R"("settings":[{"name":"region","type":"string","default":"eu","help":"where","required":true,"unit":""}],)"
        R"("invented_later":{"a":[[]]}})");
    ASSERT_TRUE(facts) << facts.error();
    EXPECT_EQ(facts->hosts, std::vector<std::string>{"h.example"});
    EXPECT_FALSE(facts->models_open);
    ASSERT_EQ(facts->models.size(), 1u);
    EXPECT_EQ(facts->models[0].max_output, 4096u);
    EXPECT_EQ(facts->auth.size(), 2u);
    EXPECT_EQ(facts->guarded_members[0], "models");
    EXPECT_FALSE(facts->ask_usage);
    EXPECT_EQ(facts->settings[0].fallback, "eu");
    EXPECT_TRUE(facts->settings[0].required);
}

TEST(AdapterFacts, RefusalsNameTheMember) {
    EXPECT_NE(refused("{\"id\"").find("facts: expected a JSON object, found "), std::string::npos);
    EXPECT_NE(refused("[]").find("found an empty array"), std::string::npos);
    EXPECT_NE(refused("{}").find("member `id`: expected a string that is not empty, found nothing"), std::string::npos);
    EXPECT_NE(refused(R"({"id":"a","endpoint":"cloud"})").find("member `endpoint`: expected one of `own` `base` `url`"),
              std::string::npos);
    EXPECT_NE(refused(R"({"id":"a","endpoint":"url"})").find("member `protocols`: expected an array that is not empty"),
              std::string::npos);
    EXPECT_NE(refused(R"({"id":"a","endpoint":"own",)" + protocols + "}").find("member `hosts`"), std::string::npos);
    EXPECT_NE(refused(R"({"id":"a","endpoint":"url","protocols":[{"id":"p","operations":[{"id":"c"}]}]})")
                  .find("member `protocols[0].operations[0].path`"),
              std::string::npos);
    EXPECT_NE(refused(R"({"id":"a","endpoint":"url","protocols":["p"]})")
                  .find("member `protocols[0]`: expected an object, found the string `p`"),
              std::string::npos);
    EXPECT_NE(refused(adapter(R"("auth":["aws-sigv4"])")).find("found `aws-sigv4`"), std::string::npos);
    EXPECT_NE(refused(adapter(R"("ask_usage":"no")")).find("member `ask_usage`: expected true or false"),
              std::string::npos);
    EXPECT_NE(refused(adapter(R"("models":"some")")).find("member `models`"), std::string::npos);
    EXPECT_NE(refused(adapter(R"("models":[{"name":"m","max_output":-1}])")).find("`models[0].max_output`"),
              std::string::npos);
    EXPECT_NE(refused(adapter(R"("settings":[{"name":"n","type":"color"}])")).find("`settings[0].type`"),
              std::string::npos);
}

TEST(AdapterFacts, DeclareAnyFramingThisHostHas) {
    const auto framed = [](const std::string& word) {
        return R"({"id":"a","endpoint":"url","protocols":[{"id":"p","operations":[{"id":"c","path":"/x","framing":")" +
               word + "\"}]}]}";
    };
    for (const auto* word : {"sse", "ndjson", "json-array", "aws-eventstream", "document", "raw"}) {
        const auto facts = parse_adapter_facts(framed(word));
        ASSERT_TRUE(facts) << facts.error();
        EXPECT_EQ(framing::to_string(facts->framing("p", "c")), word);
    }
    const auto problem = refused(framed("websocket"));
    EXPECT_NE(problem.find("member `protocols[0].operations[0].framing`: expected a framing this host has, `sse`, "
                           "`ndjson`, `json-array`, `aws-eventstream`, `document`, `raw`, found `websocket`"),
              std::string::npos)
        << problem;
}

TEST(AdapterFacts, SurviveDepth) { EXPECT_NE(refused(std::string(200000, '[')), ""); }

TEST(TranscoderFacts, AreRead) {
    const auto facts = parse_transcoder_facts(
        R"({"id":"t","dialect":"openai","capabilities":[{"name":"a","help":"h","mounts":true}],)" + operations +
        R"(,"routing_members":["model"],"needs":["max_output_tokens"],"spellings":[{"word":"stop","member":"halt"}]})");
    ASSERT_TRUE(facts) << facts.error();
    EXPECT_EQ(facts->operations[0].kind, "inference");
    EXPECT_EQ(facts->needs[0], "max_output_tokens");
    ASSERT_EQ(facts->capabilities.size(), 1u);
    EXPECT_EQ(facts->capabilities[0].name, "a");
    EXPECT_FALSE(facts->capabilities[0].by_default);
    EXPECT_TRUE(facts->capabilities[0].on_mounts);
    ASSERT_EQ(facts->spellings.size(), 1u);
    EXPECT_EQ(facts->spellings[0].word + facts->spellings[0].member, "stophalt");
    EXPECT_FALSE(facts->translates);
}

TEST(TranscoderFacts, RefuseAFramingTheHostDoesNotWrite) {
    const auto facts = parse_transcoder_facts(R"({"id":"t","operations":[{"id":"c","path":"/","framing":"ndjson"}]})");
    ASSERT_FALSE(facts);
    EXPECT_NE(facts.error().find("member `operations[0].framing`: expected a framing this host writes"),
              std::string::npos);
}

TEST(TranscoderFacts, JudgeWhatTheHostDoesNotKeep) {
    for (const char* member : {R"("dialect":7)", R"("routing_members":"model")"}) {
        const auto facts = parse_transcoder_facts(std::string(R"({"id":"t",)") + member + "," + operations + "}");
        EXPECT_FALSE(facts) << member;
    }
}

TEST(TranscoderFacts, RefuseAPathOfTwoNames) {
    const auto facts = parse_transcoder_facts(R"({"id":"t","operations":[{"id":"c","path":"/{a}/{b}"}]})");
    ASSERT_FALSE(facts);
    EXPECT_NE(facts.error().find("member `operations[0].path`: expected a path with at most one `{name}`"),
              std::string::npos);
    EXPECT_TRUE(parse_transcoder_facts(R"({"id":"t","operations":[{"id":"c","path":"/{a}:b"}]})"));
}

} // namespace
} // namespace wm::plugin
