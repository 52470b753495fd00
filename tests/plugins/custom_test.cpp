// The custom adapters: settings, URLs, headers, credentials.
#include "harness.h"

#include <gtest/gtest.h>

namespace {

using namespace wm::test;

struct Row {
    const char *id, *path, *header, *prefix;
};
const Row rows[] = {
    {"custom-chat-completions", "/v1/chat/completions", "authorization", "Bearer "},
    {"custom-responses", "/v1/responses", "authorization", "Bearer "},
    {"custom-anthropic", "/v1/messages", "x-api-key", ""},
};

TEST(Custom, SaysHowToReachTheUpstream) {
    for (const Row& row : rows) {
        const Adapter adapter("custom", row.id);
        const Backend joined(adapter, {{"base_url", "https://up:9000/team/v1/"}});
        const Backend exact(adapter, {{"endpoint", "https://up/odd//path?version=1"}});
        const Capture out = joined.prepare({.stream = true});
        EXPECT_EQ(out.value(WM_OUT_METHOD, ""), "POST");
        EXPECT_EQ(out.value(WM_OUT_URL, ""), std::string("https://up:9000/team") + row.path);
        EXPECT_EQ(out.value(WM_OUT_HEADER, "content-type"), "application/json");
        EXPECT_EQ(out.value(WM_OUT_SECRET, row.header), row.prefix);
        EXPECT_EQ(out.value(WM_OUT_FRAMING, ""), "sse");
        EXPECT_EQ(exact.prepare({.stream = false}).value(WM_OUT_URL, ""), "https://up/odd//path?version=1");
        EXPECT_EQ(exact.prepare({.stream = false}).value(WM_OUT_FRAMING, ""), "document");
    }
}

TEST(Custom, PassesOnWhatTheHostAllows) {
    const Adapter adapter("custom", "custom-responses");
    const Backend bound(adapter, {{"base_url", "http://up"}});
    const Capture out = bound.prepare({.headers = {{"OpenAI-Beta", "x=1"},
                                                   {"Content-Type", "text/plain"},
                                                   {"Authorization", "Bearer mine"},
                                                   {"x-trace", "{credential}"}}});
    EXPECT_EQ(out.value(WM_OUT_HEADER, "OpenAI-Beta"), "x=1");
    EXPECT_EQ(out.value(WM_OUT_HEADER, "x-trace"), "{credential}");
    EXPECT_EQ(out.value(WM_OUT_HEADER, "Content-Type"), "-");
    EXPECT_EQ(out.value(WM_OUT_HEADER, "Authorization"), "-");
}

TEST(Custom, AnthropicHasAVersion) {
    const Adapter adapter("custom", "custom-anthropic");
    const Backend bound(adapter, {{"base_url", "http://up"}});
    EXPECT_EQ(bound.prepare({.stream = false}).value(WM_OUT_HEADER, "anthropic-version"), "2023-06-01");
    const Capture own = bound.prepare({.headers = {{"Anthropic-Version", "2099-01-01"}, {"anthropic-beta", "b"}}});
    EXPECT_EQ(own.value(WM_OUT_HEADER, "anthropic-version"), "-");
    EXPECT_EQ(own.value(WM_OUT_HEADER, "Anthropic-Version"), "2099-01-01");
    EXPECT_EQ(own.value(WM_OUT_HEADER, "anthropic-beta"), "b");
}

TEST(Custom, RemovesStreamOptionsWhereTheyAreRefused) {
    const Adapter adapter("custom", "custom-chat-completions");
    const Backend asks(adapter, {{"base_url", "http://up"}, {"ask_usage", "true"}});
    const Backend does_not(adapter, {{"base_url", "http://up"}, {"ask_usage", "false"}});
    EXPECT_EQ(asks.prepare({.stream = true}).value(WM_OUT_MEMBER, "stream_options"), "-");
    EXPECT_EQ(does_not.prepare({.stream = true}).value(WM_OUT_MEMBER, "stream_options"), "");
    EXPECT_EQ(does_not.prepare({.stream = false}).value(WM_OUT_MEMBER, "stream_options"), "-");
}

TEST(Custom, RefusesBadSettings) {
    struct Bad {
        Pairs settings;
        const char* key;
    };
    const Bad bad[] = {
        {{}, "base_url"},
        {{{"base_url", "http://a"}, {"endpoint", "http://b"}}, "base_url"},
        {{{"base_url", "up:9000"}}, "base_url"},
        {{{"base_url", "ftp://up"}}, "base_url"},
        {{{"base_url", "http://"}}, "base_url"},
        {{{"base_url", "http://:80/"}}, "base_url"},
        {{{"base_url", "http://user:pw@up"}}, "base_url"},
        {{{"base_url", "http://up/?a=b"}}, "base_url"},
        {{{"base_url", "http://up/a b"}}, "base_url"},
        {{{"endpoint", "http://up/#x"}}, "endpoint"},
        {{{"endpoint", "/v1/messages"}}, "endpoint"},
        {{{"base_url", "http://up"}, {"ask_usage", "perhaps"}}, "ask_usage"},
    };
    const Adapter adapter("custom", "custom-chat-completions");
    for (const Bad& row : bad) {
        const Backend bound(adapter, row.settings);
        EXPECT_FALSE(bound.bound());
        ASSERT_EQ(bound.problems.events.size(), 1u);
        EXPECT_EQ(bound.problems.events[0].name, row.key);
        EXPECT_EQ(bound.problems.events[0].value.find("pw"), std::string::npos);
    }
}

TEST(Custom, KnowsOneOperation) {
    const Adapter adapter("custom", "custom-anthropic");
    const Backend bound(adapter, {{"base_url", "http://up"}});
    Capture out;
    EXPECT_EQ(bound.prepare({.operation = "count_tokens"}, out).status, WM_UNSUPPORTED);
}

} // namespace
