// There and back again: a request or an answer that both protocols carry is the same after two translations as after
// none, where "none" is the protocol's own reader and writer.
#include "conversation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <watermaster/json_scan.hpp>

namespace {

using wm::test::Conversation;

constexpr const char* chat = "openai-chat";
constexpr const char* messages = "anthropic-messages";

const char* other(const char* protocol) { return protocol == chat ? messages : chat; }

// The top-level members in the order of their names: writers put them in the order the client did.
std::vector<std::string> members(std::string_view body) {
    std::vector<std::string> out;
    wm::sdk::json::Scan scan(body);
    scan.members([&](const wm::sdk::json::Name& name) {
        out.push_back(std::string(name.body) + ":" + std::string(scan.value().raw));
    });
    std::sort(out.begin(), out.end());
    return out;
}

void expect_same_request(const char* protocol, const std::string& body) {
    Conversation none(protocol, protocol), there(protocol, other(protocol)), back(other(protocol), protocol);
    const auto wanted = none.request(body);
    ASSERT_TRUE(wanted.starts_with("{")) << wanted;
    EXPECT_EQ(none.losses(), "");
    const auto between = there.request(body);
    EXPECT_EQ(members(back.request(between)), members(wanted)) << between;
    EXPECT_EQ(there.losses() + back.losses(), "") << body;
}

void expect_same_answer(const char* protocol, const std::string& ask, const std::string& answer) {
    Conversation none(protocol, protocol), there(other(protocol), protocol), back(protocol, other(protocol));
    const auto foreign = there.request(R"({"model":"upstream-model","max_tokens":1,"messages":[]})");
    ASSERT_TRUE(none.request(ask).starts_with("{"));
    ASSERT_TRUE(back.request(ask).starts_with("{"));
    ASSERT_TRUE(foreign.starts_with("{"));
    const auto wanted = none.document(answer), between = there.document(answer);
    EXPECT_EQ(back.document(between), wanted) << between;
    EXPECT_EQ(there.losses() + back.losses(), "");
}

TEST(RoundTrip, ChatRequests) {
    for (
        const std::string& body : {
            std::string(R"({"model":"m","max_tokens":7,"messages":[{"role":"user","content":"x"}]})"),
            std::string(
                R"({"model":"m","max_tokens":7,"temperature":0.70,"top_p":1e0,"user":"u","stop":["a","b"],"messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}]})"),
            std::string(
                R"({"model":"m","max_tokens":7,"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","z":1,"a":[1.0,2e3]},"strict":true}}],"tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"t","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"b\": 1.50, \"a\":\"\\u00e9\"}"}},{"id":"c2","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"r"},{"role":"tool","tool_call_id":"c2","content":"s"},{"role":"user","content":"y"}]})"),
            std::string(
                R"({"model":"m","max_tokens":7,"reasoning_effort":"high","service_tier":"auto","messages":[{"role":"user","content":"x"},{"role":"user","content":"y"}]})"),
        })
        expect_same_request(chat, body);
}

TEST(RoundTrip, MessagesRequests) {
    for (
        const std::string& body : {
            std::string(R"({"model":"m","max_tokens":7,"messages":[{"role":"user","content":"x"}]})"),
            std::string(
                R"({"model":"m","max_tokens":7,"temperature":0.70,"system":"s","metadata":{"user_id":"u"},"stop_sequences":["a"],"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"},"title":"t.pdf"}]}]})"),
            std::string(
                R"({"model":"m","max_tokens":7,"tools":[{"name":"f","description":"d","input_schema":{"type":"object","z":1}}],"tool_choice":{"type":"any"},"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"text","text":"t"},{"type":"tool_use","id":"t1","name":"f","input":{"b": 1.50}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"r"},{"type":"text","text":"y"}]}]})"),
            std::string(
                R"({"model":"m","max_tokens":7,"output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object"}}},"messages":[{"role":"user","content":"x"}]})"),
        })
        expect_same_request(messages, body);
}

TEST(RoundTrip, Answers) {
    const std::string ask = R"({"model":"m","max_tokens":1,"messages":[]})";
    expect_same_answer(
        chat, ask,
        R"({"id":"c1","object":"chat.completion","created":1748000999,"model":"g","choices":[{"index":0,"message":{"role":"assistant","content":"x","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\": 1.50}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":3},"completion_tokens_details":{"reasoning_tokens":1}}})");
    expect_same_answer(
        messages, ask,
        R"({"id":"m1","type":"message","role":"assistant","model":"g","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"t1","name":"f","input":{"a": 1.50}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":9,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":2}})");
    expect_same_answer(
        messages, ask,
        R"({"id":"m1","type":"message","role":"assistant","model":"g","content":[{"type":"text","text":"x"}],"stop_reason":"max_tokens","stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":2}})");
}

} // namespace
