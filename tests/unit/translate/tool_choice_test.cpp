// What a client says of its tools' use, where not all of the tools go to the upstream.
#include "conversation.h"

#include <gtest/gtest.h>

namespace {

using wm::test::Conversation;

constexpr const char* chat = "openai-chat";
constexpr const char* messages = "anthropic-messages";
constexpr const char* responses = "openai-responses";
constexpr const char* unapproved = "[tool_choice] loss of tool_choice is not approved";

// A Responses client, whose tools can be of every kind.
std::string asking(const std::string& tools, const std::string& choice) {
    return R"({"model":"m","max_output_tokens":9,"input":"x","tools":)" + tools + R"(,"tool_choice":)" + choice + "}";
}

const std::string none = "[]", hosted = R"([{"type":"web_search"}])",
                  some = R"([{"type":"web_search"},{"type":"function","name":"f","strict":true},)"
                         R"({"type":"function","name":"g","strict":true}])";

std::string allowed(const std::string& mode, const std::string& names) {
    return R"({"type":"allowed_tools","mode":")" + mode + R"(","tools":[)" + names + "]}";
}

TEST(ToolChoice, IsNotSentWithoutTools) {
    for (const char* upstream : {chat, messages})
        for (const auto& tools : {none, hosted})
            for (const char* same : {R"("auto")", R"("none")"}) {
                Conversation talk(responses, upstream);
                const auto sent = talk.request(asking(tools, same));
                EXPECT_TRUE(sent.starts_with("{")) << sent;
                EXPECT_EQ(sent.find("tool_choice"), sent.npos) << sent;
                EXPECT_EQ(talk.losses().find("tool_choice"), std::string::npos);
            }
    Conversation talk(chat, responses);
    const auto sent =
        talk.request(R"({"model":"m","messages":[{"role":"user","content":"x"}],"tools":[],"tool_choice":"auto"})");
    EXPECT_EQ(sent.find("tool_choice"), sent.npos) << sent;
}

TEST(ToolChoice, ThatBindsIsLostWithItsTools) {
    for (const char* upstream : {chat, messages})
        for (const auto& tools : {none, hosted})
            for (const auto& binding : {std::string(R"("required")"), std::string(R"({"type":"function","name":"f"})"),
                                        allowed("auto", R"({"type":"function","name":"f"})")})
                EXPECT_EQ(Conversation(responses, upstream).request(asking(tools, binding)), unapproved) << binding;
    for (const char* binding : {R"({"type":"any"})", R"({"type":"tool","name":"f"})"})
        for (const char* upstream : {chat, responses})
            EXPECT_EQ(Conversation(messages, upstream)
                          .request(R"({"model":"m","max_tokens":1,"messages":[],"tool_choice":)" +
                                   std::string(binding) + "}"),
                      unapproved);
}

TEST(ToolChoice, NamesToolsThatAreSent) {
    const auto named = [](const char* name) { return R"({"type":"function","name":")" + std::string(name) + R"("})"; };
    for (const char* upstream : {chat, messages}) {
        EXPECT_EQ(Conversation(responses, upstream).request(asking(some, named("h"))), unapproved);
        const auto sent = Conversation(responses, upstream).request(asking(some, named("f")));
        EXPECT_NE(sent.find("tool_choice"), sent.npos) << sent;
    }
    EXPECT_EQ(Conversation(responses, chat).request(asking(some, allowed("auto", named("f") + "," + named("h")))),
              unapproved);
    const auto sent = Conversation(responses, chat).request(asking(some, allowed("auto", named("f"))));
    EXPECT_NE(sent.find(R"("allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"f"}}]})"),
              sent.npos)
        << sent;
}

// Who approves the loss gets what is left of the choice, and never a tool that was not allowed.
TEST(ToolChoice, WhatIsLeftAllowsNoOtherTool) {
    auto approvals = wm::translate::Approvals::of_served_models();
    approvals.set("tool_choice", true);
    const auto request = [&](const std::string& choice) {
        const wm::plugin::TalkParams params{.exchange = "x", .operation = "create", .model = "up", .now_ms = 1};
        auto talk = wm::translate::Translation::open(wm::test::transcoder(responses), params, approvals);
        auto sent = (*talk)->request(asking(some, choice), wm::test::transcoder(chat), params, std::nullopt);
        EXPECT_EQ((*talk)->losses().text().find("tool_choice=tool_choice") != std::string::npos, true);
        return sent ? *sent : "refused";
    };
    const std::string f = R"({"type":"function","name":"f"})", h = R"({"type":"function","name":"h"})";
    EXPECT_NE(request(allowed("required", f + "," + h))
                  .find(R"("mode":"required","tools":[{"type":"function","function":{"name":"f"}}])"),
              std::string::npos);
    EXPECT_NE(request(allowed("required", h)).find(R"("tool_choice":"none")"), std::string::npos);
    EXPECT_NE(request(h).find(R"("tool_choice":"none")"), std::string::npos);
}

} // namespace
