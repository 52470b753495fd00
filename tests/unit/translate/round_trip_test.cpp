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
constexpr const char* responses = "openai-responses";

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

void expect_same_request(const char* protocol, const char* other, const std::string& body) {
    SCOPED_TRACE(std::string(protocol) + " by " + other);
    Conversation none(protocol, protocol), there(protocol, other), back(other, protocol);
    const auto wanted = none.request(body);
    ASSERT_TRUE(wanted.starts_with("{")) << wanted;
    EXPECT_EQ(none.losses(), "");
    const auto between = there.request(body);
    EXPECT_EQ(members(back.request(between)), members(wanted)) << between;
    EXPECT_EQ(there.losses(), "") << body;
    // A Responses upstream is asked for its reasoning in a form that the client can give back; others have no such
    // form.
    const bool included = between.find("\"include\":") != between.npos;
    EXPECT_EQ(back.losses(), included ? "responses_controls=include" : "") << body;
}

std::string asking(const char* protocol) {
    return protocol == responses ? R"({"model":"upstream-model","max_output_tokens":1,"input":[]})"
                                 : R"({"model":"upstream-model","max_tokens":1,"messages":[]})";
}

// Only Responses has ids of items, which are made anew elsewhere, as is that of the answer.
std::string without_item_ids(std::string document) {
    for (const char* kind : {"resp_", "msg_", "fc_"})
        for (std::size_t at = document.find(std::string("\"id\":\"") + kind); at != document.npos;
             at = document.find(std::string("\"id\":\"") + kind))
            document.erase(at, document.find(',', at) + 1 - at);
    return document;
}

void expect_same_answer(const char* protocol, const char* other, const std::string& answer) {
    SCOPED_TRACE(std::string(protocol) + " by " + other);
    Conversation none(protocol, protocol), there(other, protocol), back(protocol, other);
    const auto ask = asking(protocol), foreign = there.request(asking(other));
    ASSERT_TRUE(none.request(ask).starts_with("{"));
    ASSERT_TRUE(back.request(ask).starts_with("{"));
    ASSERT_TRUE(foreign.starts_with("{"));
    const auto wanted = none.document(answer), between = there.document(answer);
    EXPECT_EQ(without_item_ids(back.document(between)), without_item_ids(wanted)) << between;
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
        for (const char* other : {messages, responses})
            if (other == messages || body.find("\"stop\"") == body.npos) expect_same_request(chat, other, body);
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
        for (const char* other : {chat, responses})
            if (other == chat || body.find("stop_sequences") == body.npos) expect_same_request(messages, other, body);
}

TEST(RoundTrip, ResponsesRequests) {
    for (
        const std::string& body : {
            std::string(
                R"({"model":"m","max_output_tokens":7,"store":false,"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}]})"),
            std::string(
                R"({"model":"m","max_output_tokens":7,"store":false,"instructions":"s","temperature":0.70,"top_p":1e0,"user":"u","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_image","detail":"auto","image_url":"data:image/png;base64,AAAA"},{"type":"input_image","detail":"auto","image_url":"https://example.com/a.png"},{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"}]}]})"),
            std::string(
                R"({"model":"m","max_output_tokens":7,"store":false,"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object","properties":{},"z":1,"a":[1.0,2e3]},"strict":true}],"tool_choice":{"type":"function","name":"f"},"parallel_tool_calls":false,"input":[{"type":"message","role":"user","content":"x"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"t"}]},{"type":"function_call","call_id":"c1","name":"f","arguments":"{\"b\": 1.50, \"a\":\"\\u00e9\"}"},{"type":"function_call","call_id":"c2","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"r"},{"type":"function_call_output","call_id":"c2","output":"s"},{"type":"message","role":"user","content":[{"type":"input_text","text":"y"}]}]})"),
            std::string(
                R"({"model":"m","max_output_tokens":7,"store":false,"service_tier":"auto","text":{"format":{)"
                R"("type":"json_schema","name":"response","schema":{"type":"object"},"strict":true}},"input":[]})"),
        })
        for (const char* other : {chat, messages}) expect_same_request(responses, other, body);
}

TEST(RoundTrip, Answers) {
    expect_same_answer(
        chat, messages,
        R"({"id":"c1","object":"chat.completion","created":1748000999,"model":"g","choices":[{"index":0,"message":{"role":"assistant","content":"x","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\": 1.50}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":3},"completion_tokens_details":{"reasoning_tokens":1}}})");
    expect_same_answer(
        messages, chat,
        R"({"id":"m1","type":"message","role":"assistant","model":"g","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"t1","name":"f","input":{"a": 1.50}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":9,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":2}})");
    expect_same_answer(
        messages, chat,
        R"({"id":"m1","type":"message","role":"assistant","model":"g","content":[{"type":"text","text":"x"}],"stop_reason":"max_tokens","stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":2}})");
    for (const char* other : {chat, messages})
        expect_same_answer(
            responses, other,
            R"({"id":"resp_1","object":"response","created_at":1748000999,"status":"completed","model":"g","output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"x","annotations":[],"logprobs":[]}]},{"id":"fc_1","type":"function_call","status":"completed","call_id":"c1","name":"f","arguments":"{\"a\": 1.50}"}],"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":3},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":1},"total_tokens":11}})");
}

} // namespace
