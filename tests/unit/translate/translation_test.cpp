#include "conversation.h"

#include <gtest/gtest.h>

namespace {

using namespace wm;
using wm::test::Conversation;
using wm::test::transcoder;

constexpr const char* chat = "openai-chat";
constexpr const char* messages = "anthropic-messages";
constexpr const char* responses = "openai-responses";

plugin::TalkParams params() {
    return {.exchange = "x17", .operation = "create", .model = "up", .now_ms = 1'748'000'999'123};
}

TEST(Translation, EveryPluginTranslates) {
    for (const auto* protocol : {chat, messages, responses}) EXPECT_TRUE(transcoder(protocol).about().translates);
    EXPECT_EQ(transcoder(messages).about().needs, std::vector<std::string>{"max_output_tokens"});
}

TEST(Translation, PutsInTheLimitThatTheTargetNeeds) {
    auto translation = std::move(*translate::Translation::open(transcoder(chat), params()));
    const std::string body = R"({"model":"m","messages":[{"role":"user","content":"x"}]})";
    const auto without = translation->request(body, transcoder(messages), params(), std::nullopt);
    ASSERT_FALSE(without);
    EXPECT_TRUE(without.error().client_fault);
    EXPECT_EQ(without.error().where, "max_tokens");

    const auto with = translation->request(body, transcoder(messages), params(), 4096);
    ASSERT_TRUE(with);
    EXPECT_EQ(*with, R"({"model":"up","max_tokens":4096,"messages":[{"role":"user","content":"x"}]})");
    ASSERT_EQ(translation->losses().all().size(), 1u);
    EXPECT_TRUE(translation->losses().all().front().note);
    EXPECT_EQ(translation->losses().text(), "");
}

TEST(Translation, RepeatsItselfForAnotherTarget) {
    Conversation talk(chat, messages);
    const std::string body = R"({"model":"m","max_tokens":1,"seed":1,"messages":[{"role":"user","content":"x"}]})";
    const auto first = talk.request(body), losses = talk.losses();
    const std::string answer = R"({"id":"a","content":[{"type":"text","text":"one"}],"stop_reason":"end_turn"})";
    const auto given = talk.document(answer);
    (void)talk.stream({"data: {\"type\":\"message_start\",\"message\":{\"id\":\"b\"}}\n\n"});
    EXPECT_EQ(talk.request(body), first);
    EXPECT_EQ(talk.losses(), losses);
    EXPECT_EQ(talk.document(answer), given);
}

TEST(Translation, HoldsNoMoreThanItMay) {
    auto bounded = params();
    bounded.max_held = 10'000;
    bounded.stream = true;
    auto translation = std::move(*translate::Translation::open(transcoder(messages), bounded));
    ASSERT_TRUE(
        translation->request(R"({"model":"m","max_tokens":1,"messages":[]})", transcoder(chat), bounded, std::nullopt));
    (void)translation->begin_answer(plugin::TalkMode::stream);
    const auto give = [](std::string_view, std::string_view) {};
    const auto call = [](int index, const std::string& arguments) {
        return R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":)" + std::to_string(index) + R"(,"id":"c)" +
               std::to_string(index) + R"(","function":{"name":"f","arguments":")" + arguments + R"("}}]}}]})";
    };
    EXPECT_TRUE(translation->answer({}, call(0, std::string(50'000, 'x')), framing::FrameKind::message,
                                    give)); // streamed, not held
    EXPECT_TRUE(translation->answer({}, call(1, std::string(5000, 'x')), framing::FrameKind::message, give));
    EXPECT_FALSE(translation->answer({}, call(1, std::string(6000, 'x')), framing::FrameKind::message, give));
}

// A tool of free text is a function to who has no such tools, and its client never knows.
TEST(Translation, FreeTextGoesInAnObjectAndComesOutAgain) {
    const std::string body =
        R"({"model":"m","max_output_tokens":9,"tools":[{"type":"custom","name":"patch"}],"input":"x"})";
    Conversation by_chat(responses, chat), by_messages(responses, messages);
    EXPECT_NE(by_chat.request(body, true).find(R"("parameters":{"type":"object","properties":{"input")"),
              std::string::npos);
    EXPECT_NE(by_messages.request(body, true).find(R"("input_schema":{"type":"object","properties":{"input")"),
              std::string::npos);
    EXPECT_EQ(by_chat.losses() + by_messages.losses(), "");
    const auto call = [](const char* name, const char* arguments) {
        return std::string(
                   R"(data: {"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":{)") +
               R"("name":")" + name + R"(","arguments":")" + arguments + "\"}}]}}]}\n\n";
    };
    const std::string end = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n";
    const auto given = by_chat.stream({call("patch", R"({\"inp)"), call("", R"(ut\":\"a\\n\\\"b\\\"\"})"), end});
    EXPECT_NE(given.find(R"("type":"response.custom_tool_call_input.done")"), std::string::npos) << given;
    EXPECT_NE(given.find(R"("name":"patch","input":"a\n\"b\"")"), std::string::npos) << given;
    // A model that did not keep to the schema: all that it said.
    (void)by_chat.request(body, true);
    EXPECT_NE(by_chat.stream({call("patch", "a b"), end}).find(R"("input":"a b")"), std::string::npos);

    const std::string whole =
        R"({"id":"m1","content":[{"type":"tool_use","id":"t1","name":"patch","input":{"input":"a\n\"b\""}}],"stop_reason":"tool_use"})";
    EXPECT_NE(
        by_messages.document(whole).find(R"("type":"custom_tool_call","status":"completed","call_id":"t1","name":)"
                                         R"("patch","input":"a\n\"b\"")"),
        std::string::npos);
}

// No value of a request is in what may be shown of a refusal or a loss.
TEST(Translation, PathsHoldNoValues) {
    Conversation talk(messages, chat);
    (void)talk.request(
        R"({"model":"m","max_tokens":1,"messages":[],"mcp_servers":[{"authorization_token":"secret-canary"}],)"
        R"("container":"secret-canary","metadata":{"user_id":"secret-canary"}})");
    EXPECT_EQ(talk.remarks().find("canary"), std::string::npos) << talk.remarks();
    EXPECT_NE(talk.losses().find("builtin_tools"), std::string::npos);
    EXPECT_NE(talk.losses().find("container"), std::string::npos);
    const auto refused =
        talk.request(R"({"model":"m","max_tokens":1,"messages":[{"role":"secret-canary","content":1}]})");
    EXPECT_EQ(refused.find("canary"), std::string::npos) << refused;
    EXPECT_TRUE(refused.starts_with("[messages[0].role]")) << refused;
}

// Nesting and size of hostile requests end in a status.
TEST(Translation, SurvivesWhatIsNoRequest) {
    const std::string deep(100'000, '['), open = R"({"model":"m","max_tokens":1,"messages":)";
    for (const auto* client : {chat, messages}) {
        Conversation talk(client, client == chat ? messages : chat);
        for (const std::string& body :
             {std::string(), std::string("[]"), std::string("{"), std::string("{}"), deep, open + deep, open + "null}",
              open + "{}}", open + "[null]}", open + "[[]]}", open + "[{}]}"})
            EXPECT_TRUE(talk.request(body).starts_with("[")) << body.substr(0, 100);
    }
}

// Sealed reasoning comes back from the client, and only the credential that made it can open it.
TEST(Translation, TellsWhatAnAnswerSealed) {
    auto streamed = params();
    streamed.stream = true;
    const std::string body = R"({"model":"m","max_tokens":1,"messages":[]})";
    const std::string reasoning = R"({"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA="})";
    const auto give = [](std::string_view, std::string_view) {};
    const plugin::PinList sealed{plugin::pin_of("carried", "gAAA=")};

    auto translation = std::move(*translate::Translation::open(transcoder(messages), params()));
    ASSERT_TRUE(translation->request(body, transcoder(responses), params(), std::nullopt));
    (void)translation->begin_answer(plugin::TalkMode::document);
    auto whole = translation->answer({}, R"({"id":"r","status":"completed","output":[)" + reasoning + "]}",
                                     framing::FrameKind::document, give);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->pins, sealed);

    translation = std::move(*translate::Translation::open(transcoder(messages), streamed));
    ASSERT_TRUE(translation->request(body, transcoder(responses), streamed, std::nullopt));
    (void)translation->begin_answer(plugin::TalkMode::stream);
    plugin::PinList told;
    for (const std::string& data :
         {std::string(R"({"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}})"),
          R"({"type":"response.output_item.done","output_index":0,"item":)" + reasoning + "}",
          std::string(R"({"type":"response.completed","response":{"id":"r","status":"completed","output":[]}})")}) {
        auto step = translation->answer({}, data, framing::FrameKind::message, give);
        ASSERT_TRUE(step) << data;
        told.insert(told.end(), step->pins.begin(), step->pins.end());
    }
    EXPECT_EQ(told, sealed);
}

} // namespace
