// The custom adapters: settings, URLs, headers, credentials.
#include "harness.h"

#include <gtest/gtest.h>

#include <memory>

namespace {

using namespace wm::test;

class Bound {
  public:
    Bound(const Adapter& adapter, const Pairs& settings) : adapter_(adapter), at_(adapter.bind(settings, problems)) {}
    ~Bound() {
        if (at_)
            adapter_.table().unbind(at_);
    }
    Bound(const Bound&) = delete;
    Bound& operator=(const Bound&) = delete;
    Capture prepare(bool stream, const Pairs& headers = {}) const {
        Capture out;
        EXPECT_EQ(adapter_.prepare(at_, stream, headers, out).status, WM_OK);
        return out;
    }
    void* get() const { return at_; }

    Capture problems;

  private:
    const Adapter& adapter_;
    void* at_;
};

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
        const Bound joined(adapter, {{"base_url", "https://up:9000/team/v1/"}});
        const Bound exact(adapter, {{"endpoint", "https://up/odd//path?version=1"}});
        const Capture out = joined.prepare(true);
        EXPECT_EQ(out.value(WM_OUT_METHOD, ""), "POST");
        EXPECT_EQ(out.value(WM_OUT_URL, ""), std::string("https://up:9000/team") + row.path);
        EXPECT_EQ(out.value(WM_OUT_HEADER, "content-type"), "application/json");
        EXPECT_EQ(out.value(WM_OUT_SECRET, row.header), row.prefix);
        EXPECT_EQ(out.value(WM_OUT_FRAMING, ""), "sse");
        EXPECT_EQ(exact.prepare(false).value(WM_OUT_URL, ""), "https://up/odd//path?version=1");
        EXPECT_EQ(exact.prepare(false).value(WM_OUT_FRAMING, ""), "document");
    }
}

TEST(Custom, PassesOnWhatTheHostAllows) {
    const Adapter adapter("custom", "custom-responses");
    const Bound bound(adapter, {{"base_url", "http://up"}});
    const Capture out = bound.prepare(false, {{"OpenAI-Beta", "x=1"},
                                              {"Content-Type", "text/plain"},
                                              {"Authorization", "Bearer mine"},
                                              {"x-trace", "{credential}"}});
    EXPECT_EQ(out.value(WM_OUT_HEADER, "OpenAI-Beta"), "x=1");
    EXPECT_EQ(out.value(WM_OUT_HEADER, "x-trace"), "{credential}");
    EXPECT_EQ(out.value(WM_OUT_HEADER, "Content-Type"), "-");
    EXPECT_EQ(out.value(WM_OUT_HEADER, "Authorization"), "-");
}

TEST(Custom, AnthropicHasAVersion) {
    const Adapter adapter("custom", "custom-anthropic");
    const Bound bound(adapter, {{"base_url", "http://up"}});
    EXPECT_EQ(bound.prepare(false).value(WM_OUT_HEADER, "anthropic-version"), "2023-06-01");
    const Capture own = bound.prepare(false, {{"Anthropic-Version", "2099-01-01"}, {"anthropic-beta", "b"}});
    EXPECT_EQ(own.value(WM_OUT_HEADER, "anthropic-version"), "-");
    EXPECT_EQ(own.value(WM_OUT_HEADER, "Anthropic-Version"), "2099-01-01");
    EXPECT_EQ(own.value(WM_OUT_HEADER, "anthropic-beta"), "b");
}

TEST(Custom, RemovesStreamOptionsWhereTheyAreRefused) {
    const Adapter adapter("custom", "custom-chat-completions");
    const Bound asks(adapter, {{"base_url", "http://up"}, {"ask_usage", "true"}});
    const Bound does_not(adapter, {{"base_url", "http://up"}, {"ask_usage", "false"}});
    EXPECT_EQ(asks.prepare(true).value(WM_OUT_MEMBER, "stream_options"), "-");
    EXPECT_EQ(does_not.prepare(true).value(WM_OUT_MEMBER, "stream_options"), "");
    EXPECT_EQ(does_not.prepare(false).value(WM_OUT_MEMBER, "stream_options"), "-");
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
        const Bound bound(adapter, row.settings);
        EXPECT_EQ(bound.get(), nullptr);
        ASSERT_EQ(bound.problems.events.size(), 1u);
        EXPECT_EQ(bound.problems.events[0].name, row.key);
        EXPECT_EQ(bound.problems.events[0].value.find("pw"), std::string::npos);
    }
}

TEST(Custom, KnowsOneOperation) {
    const Adapter adapter("custom", "custom-anthropic");
    const Bound bound(adapter, {{"base_url", "http://up"}});
    Capture out;
    EXPECT_EQ(adapter.prepare(bound.get(), false, {}, out, "count_tokens").status, WM_UNSUPPORTED);
}

} // namespace
