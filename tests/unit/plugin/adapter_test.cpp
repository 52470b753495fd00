#include "tables.h"

#include <gtest/gtest.h>

namespace wm::plugin::test {
namespace {

struct Result {
    std::uint32_t tag;
    std::string name, value;
};
const std::vector<Result> enough = {{WM_OUT_METHOD, "", "POST"}, {WM_OUT_URL, "", "https://a.example/v1"}};

struct AdapterTest : testing::Test {
    FakeAdapter fake;
    std::unique_ptr<Adapter> adapter = make(fake);
    std::vector<SettingProblem> problems;

    Called<Prepared> prepared(std::vector<Result> results, CallView call = {}) {
        fake.prepare = [&](const wm_call&, const wm_sink* sink, wm_error*) {
            for (const auto& one : results)
                if (const auto stop = put(sink, one.tag, one.name, one.value); stop != WM_OK) return stop;
            return WM_OK;
        };
        return adapter->bind({}, problems)->prepare(call);
    }
    std::string fault(Result result) {
        auto results = enough;
        results.push_back(std::move(result));
        const auto out = prepared(results);
        return out ? "" : out.error().message;
    }
};

TEST_F(AdapterTest, BindsSettings) {
    std::string seen;
    fake.bind = [&](const wm_pairs& settings, const wm_sink*, wm_error*) {
        for (std::uint32_t i = 0; i < settings.count; ++i)
            seen += std::string(to_view(settings.at[i].name)) + "=" + std::string(to_view(settings.at[i].value));
        return true;
    };
    const std::vector<PairView> settings = {{"base_url", "https://a.example"}};
    {
        const auto bound = adapter->bind(settings, problems);
        ASSERT_TRUE(bound);
        EXPECT_EQ(&bound->about(), &adapter->about());
        EXPECT_EQ(seen, "base_url=https://a.example");
        EXPECT_EQ(fake.bound, 1);
    }
    EXPECT_EQ(fake.bound, 0);
    EXPECT_TRUE(problems.empty());
}

TEST_F(AdapterTest, ReportsAProblemPerSetting) {
    fake.bind = [](const wm_pairs&, const wm_sink* sink, wm_error*) {
        put(sink, WM_OUT_PROBLEM, "base_url", "has no host");
        put(sink, WM_OUT_PROBLEM, "region", "is\nunknown");
        return false;
    };
    EXPECT_FALSE(adapter->bind({}, problems));
    ASSERT_EQ(problems.size(), 2u);
    EXPECT_EQ(problems[0].key, "base_url");
    EXPECT_EQ(problems[1].problem, "is?unknown");
}

TEST_F(AdapterTest, NullWithoutAProblemSaysWhatThePluginSaid) {
    fake.bind = [](const wm_pairs&, const wm_sink*, wm_error* error) { return say(error, "", "no memory"), false; };
    EXPECT_FALSE(adapter->bind({}, problems));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].problem, "adapter fake: bind: no memory");
}

TEST_F(AdapterTest, AnInstanceWithProblemsIsNotUsed) {
    fake.bind = [](const wm_pairs&, const wm_sink* sink, wm_error*) {
        put(sink, WM_OUT_PROBLEM, "region", "is odd");
        return true;
    };
    EXPECT_FALSE(adapter->bind({}, problems));
    EXPECT_EQ(problems.size(), 1u);
    EXPECT_EQ(fake.bound, 0);
}

TEST_F(AdapterTest, PassesTheCall) {
    wm_call seen{};
    fake.prepare = [&](const wm_call& call, const wm_sink* sink, wm_error*) {
        seen = call;
        EXPECT_EQ(to_view(call.headers.at[0].name), "x-trace");
        put(sink, WM_OUT_METHOD, "", "POST");
        return put(sink, WM_OUT_URL, "", "https://a.example");
    };
    const std::vector<PairView> headers = {{"x-trace", "1"}};
    CallView call;
    call.protocol = "openai-chat";
    call.model = "m";
    call.handle = "north";
    call.headers = headers;
    call.attempt = 3;
    call.stream = true;
    ASSERT_TRUE(adapter->bind({}, problems)->prepare(call));
    EXPECT_EQ(to_view(seen.protocol), "openai-chat");
    EXPECT_EQ(to_view(seen.model), "m");
    EXPECT_EQ(to_view(seen.handle), "north");
    EXPECT_EQ(seen.attempt, 3u);
    EXPECT_EQ(seen.flags, std::uint32_t(WM_CALL_STREAM));
}

TEST_F(AdapterTest, CollectsARequest) {
    auto results = enough;
    results.insert(results.end(), {{WM_OUT_HEADER, "anthropic-version", "2023-06-01"},
                                   {WM_OUT_SECRET, "authorization", "Bearer "},
                                   {WM_OUT_SECRET, "?key", ""},
                                   {WM_OUT_AUTH, "scheme", "header"},
                                   {WM_OUT_MEMBER, "stream_options", ""},
                                   {WM_OUT_MEMBER, "version", R"({"a":[1e400]})"},
                                   {WM_OUT_FRAMING, "", "ndjson"},
                                   {0x00FEu, "from", "later"}});
    const auto out = prepared(results);
    ASSERT_TRUE(out);
    EXPECT_EQ(out->method, "POST");
    EXPECT_EQ(out->url, "https://a.example/v1");
    ASSERT_EQ(out->headers.size(), 1u);
    EXPECT_EQ(out->headers[0].value, "2023-06-01");
    ASSERT_EQ(out->secrets.size(), 2u);
    EXPECT_FALSE(out->secrets[0].in_query);
    EXPECT_EQ(out->secrets[0].name, "authorization");
    EXPECT_EQ(out->secrets[0].prefix, "Bearer ");
    EXPECT_TRUE(out->secrets[1].in_query);
    EXPECT_EQ(out->secrets[1].name, "key");
    ASSERT_EQ(out->members.size(), 2u);
    EXPECT_EQ(out->members[0].value, "");
    EXPECT_EQ(out->framing, framing::Framing::ndjson);
}

TEST_F(AdapterTest, RefusesWhatWouldBreakTheRequest) {
    EXPECT_EQ(fault({WM_OUT_HEADER, "x-ok", "fine\tvalue"}), "");
    EXPECT_NE(fault({WM_OUT_HEADER, "x-bad", "a\r\nhost: b"}).find("a HEADER that would break"), std::string::npos);
    EXPECT_NE(fault({WM_OUT_HEADER, "x bad", "a"}).find("a HEADER that would break"), std::string::npos);
    EXPECT_NE(fault({WM_OUT_METHOD, "", "PO ST"}).find("a METHOD"), std::string::npos);
    for (const auto* bodiless : {"HEAD", "TRACE", "CONNECT"})
        EXPECT_NE(fault({WM_OUT_METHOD, "", bodiless}).find("a METHOD whose answer"), std::string::npos) << bodiless;
    EXPECT_EQ(fault({WM_OUT_METHOD, "", "PUT"}), "");
    EXPECT_NE(fault({WM_OUT_URL, "", "https://a.example/ x"}).find("a URL"), std::string::npos);
    EXPECT_NE(fault({WM_OUT_SECRET, "?", ""}).find("a SECRET"), std::string::npos);
    EXPECT_NE(fault({WM_OUT_SECRET, "x\n", ""}).find("a SECRET"), std::string::npos);
    EXPECT_NE(fault({WM_OUT_MEMBER, "a", "1,\"model\":2"}).find("a MEMBER"), std::string::npos);
    EXPECT_NE(fault({WM_OUT_AUTH, "scheme", "aws-sigv4"}).find("an AUTH scheme"), std::string::npos);
    EXPECT_NE(fault({WM_OUT_FRAMING, "", "websocket"}).find("a FRAMING"), std::string::npos);
}

TEST_F(AdapterTest, AStreamIsFramedAsTheFactsSayUnlessTheCallIsFramedOtherwise) {
    CallView call;
    call.protocol = "p";
    call.operation = "create";
    EXPECT_EQ(prepared(enough, call)->framing, framing::Framing::ndjson);
    call.operation = "another";
    EXPECT_EQ(prepared(enough, call)->framing, framing::Framing::sse);
    auto results = enough;
    results.push_back({WM_OUT_FRAMING, "", "aws-eventstream"});
    EXPECT_EQ(prepared(results, call)->framing, framing::Framing::aws_eventstream);
}

struct UnframeTest : AdapterTest {
    Called<std::vector<OutFrame>> unframed(std::string_view data, framing::FrameKind kind, std::size_t most = 1000) {
        const auto bound = adapter->bind({}, problems);
        EXPECT_TRUE(bound->unframes());
        return bound->unframe("chunk", data, kind, most);
    }
};

TEST_F(UnframeTest, GivesTheFramesOfAFrame) {
    fake.unframe = [](const wm_frame& frame, const wm_sink* sink, wm_error*) {
        EXPECT_EQ(to_view(frame.name), "chunk");
        EXPECT_EQ(frame.kind, std::uint32_t(WM_FRAME_DOCUMENT));
        put(sink, 0x00FEu, "from", "later");
        put(sink, WM_OUT_FRAME, "a", to_view(frame.data));
        return put(sink, WM_OUT_FRAME, "", "2");
    };
    const auto frames = unframed("1", framing::FrameKind::document);
    ASSERT_TRUE(frames);
    ASSERT_EQ(frames->size(), 2u);
    EXPECT_EQ((*frames)[0].name, "a");
    EXPECT_EQ((*frames)[0].data, "1");
    EXPECT_EQ((*frames)[1].data, "2");
}

TEST_F(UnframeTest, MayHoldNoFrame) {
    const auto frames = unframed("{}", framing::FrameKind::message);
    ASSERT_TRUE(frames);
    EXPECT_TRUE(frames->empty());
}

TEST_F(UnframeTest, FailsWithWhatThePluginSays) {
    fake.unframe = [](const wm_frame&, const wm_sink*, wm_error* error) {
        say(error, "bytes", "not base64");
        return WM_BAD_INPUT;
    };
    const auto frames = unframed("{}", framing::FrameKind::message);
    ASSERT_FALSE(frames);
    EXPECT_EQ(frames.error().status, WM_BAD_INPUT);
    EXPECT_NE(frames.error().message.find("unframe: not base64"), std::string::npos);
}

TEST_F(UnframeTest, IsBounded) {
    fake.unframe = [](const wm_frame& frame, const wm_sink* sink, wm_error*) {
        while (put(sink, WM_OUT_FRAME, "", to_view(frame.data)) == WM_OK) {}
        return WM_OK;
    };
    const auto frames = unframed("{}", framing::FrameKind::message);
    ASSERT_FALSE(frames);
    EXPECT_NE(frames.error().message.find("too many results"), std::string::npos);
}

TEST_F(AdapterTest, OkWithoutAMethodOrUrlIsAFault) {
    const auto no_url = prepared({enough[0]}), no_method = prepared({enough[1]});
    ASSERT_FALSE(no_url);
    EXPECT_EQ(no_url.error().status, WM_INTERNAL);
    EXPECT_NE(no_url.error().message.find("without a URL"), std::string::npos);
    ASSERT_FALSE(no_method);
    EXPECT_NE(no_method.error().message.find("without a METHOD"), std::string::npos);
}

struct ObservingTest : testing::Test {
    FakeAdapter fake;
    std::vector<SettingProblem> problems;

    Called<RateLimits> observed(std::vector<Result> results, wm_status status = WM_OK) {
        fake.observe = [=](const wm_reply& reply, const wm_sink* sink, wm_error*) {
            EXPECT_EQ(reply.http_status, 429u);
            EXPECT_EQ(reply.now_ms, 7u);
            EXPECT_EQ(reply.headers.count, 1u); // without the credential
            EXPECT_EQ(to_view(reply.headers.at[0].name), "x-left");
            for (const auto& one : results)
                if (const auto stop = put(sink, one.tag, one.name, one.value); stop != WM_OK) return stop;
            return status;
        };
        const std::vector<PairView> headers = {
            {"Set-Cookie", "s"}, {"AUTHORIZATION", "T"}, {"x-api-key", "T"}, {"x-left", "1"}};
        return make(fake)->bind({}, problems)->observe({.http_status = 429, .headers = headers, .now_ms = 7});
    }
    std::string fault(std::string name, std::string value) {
        const auto out = observed({{WM_OUT_LIMIT, std::move(name), std::move(value)}});
        return out ? "" : out.error().message;
    }
};

TEST_F(ObservingTest, CollectsWhatTheAdapterSays) {
    const auto out = observed({{WM_OUT_LIMIT, "tokens/limit", "10"},
                               {WM_OUT_LIMIT, "tokens/remaining@credential", "3"},
                               {WM_OUT_LIMIT, "tokens/reset@project", "250"},
                               {WM_OUT_LIMIT, "tokens/later", "1"},
                               {0x00FEu, "from", "later"}});
    ASSERT_TRUE(out);
    ASSERT_EQ(out->size(), 2u);
    EXPECT_EQ((*out)[0].limit, 10);
    EXPECT_EQ((*out)[0].remaining, 3);
    EXPECT_EQ((*out)[1].scope, "project");
    EXPECT_EQ((*out)[1].reset_ms, 250);
}

TEST_F(ObservingTest, RefusesWhatIsNoLimit) {
    EXPECT_EQ(fault("tokens/limit", "1"), "");
    for (const char* name : {"", "tokens", "/limit", "to kens/limit", "tokens/limit@", "tokens/limit@a b", "@a/limit"})
        EXPECT_NE(fault(name, "1").find("a LIMIT whose name"), std::string::npos) << name;
    for (const char* value : {"", "-1", "1.5", "many"})
        EXPECT_NE(fault("tokens/limit", value).find("a LIMIT whose value"), std::string::npos) << value;
    std::vector<Result> many;
    for (int i = 0; i < 17; ++i) many.push_back({WM_OUT_LIMIT, "r" + std::to_string(i) + "/limit", "1"});
    EXPECT_NE(observed(many).error().message.find("too many LIMITs"), std::string::npos);
    EXPECT_EQ(observed({}, WM_UNSUPPORTED).error().status, WM_UNSUPPORTED);
}

TEST_F(ObservingTest, WithoutAReadingOfItsOwnThatOfTheFamily) {
    const std::vector<PairView> headers = {{"x-ratelimit-remaining-tokens", "5"}};
    const auto out = make(fake)->bind({}, problems)->observe({.http_status = 200, .headers = headers, .now_ms = 7});
    ASSERT_TRUE(out);
    ASSERT_EQ(out->size(), 1u);
    EXPECT_EQ(out->front().remaining, 5);
}

} // namespace
} // namespace wm::plugin::test
