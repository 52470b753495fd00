// Verdicts that golden streams do not show: withheld usage, malformed frames, hostile input.
#include "harness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace {

using namespace wm::test;

constexpr auto preamble = WM_FLAG_PREAMBLE, semantic = WM_FLAG_SEMANTIC, terminal = WM_FLAG_TERMINAL,
               error = WM_FLAG_ERROR, withhold = WM_FLAG_WITHHOLD, idle = WM_FLAG_IDLE;

TEST(ChatTap, WithholdsOnlyUsageNobodyAskedFor) {
    const char* usage_only = R"({"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":1}})";
    const char* filter_only = R"({"choices":[],"prompt_filter_results":[]})";
    const char* null_usage = R"({"choices":[],"usage":null})";
    const char* with_choice = R"({"choices":[{"index":0,"delta":{"content":"A"}}],"usage":{"prompt_tokens":9}})";
    const Transcoder chat("openai-chat");
    Tap asked(chat), unasked(chat, true);
    EXPECT_EQ(asked.judge(usage_only), preamble);
    EXPECT_EQ(unasked.judge(usage_only), preamble | withhold);
    EXPECT_EQ(unasked.judge(filter_only), preamble);
    EXPECT_EQ(unasked.judge(null_usage), preamble);
    EXPECT_EQ(unasked.judge(with_choice), semantic);
}

TEST(ChatTap, EmptyMembersSayNothing) {
    const Transcoder chat("openai-chat");
    const char* nothing[] = {
        R"({})",
        R"({"choices":[]})",
        R"({"choices":null})",
        R"({"choices":[{}]})",
        R"({"choices":[{"delta":{}}]})",
        R"({"choices":[{"index":0,"delta":null,"finish_reason":null}]})",
        R"({"choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":""}]})",
        R"({"choices":[{"delta":{"role":"assistant","content":"","tool_calls":[ ],"refusal":null,"reasoning":""}}]})",
    };
    const char* something[] = {
        R"({"choices":[{"delta":{"content":" "}}]})",      R"({"choices":[{"delta":{"refusal":"no"}}]})",
        R"({"choices":[{"delta":{"tool_calls":[{}]}}]})",  R"({"choices":[{"delta":{"vendor":1}}]})",
        R"({"choices":[{"\u0064elta":{"content":"x"}}]})", R"({"choices":[{},{"index":1,"delta":{"content":"x"}}]})",
    };
    for (const char* frame : nothing) EXPECT_EQ(Tap(chat).judge(frame), preamble) << frame;
    for (const char* frame : something) EXPECT_EQ(Tap(chat).judge(frame), semantic) << frame;
}

TEST(ChatTap, ALateChoiceTakesTheEndBack) {
    const Transcoder chat("openai-chat");
    Tap tap(chat);
    EXPECT_EQ(tap.judge(R"({"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]})"),
              semantic | terminal);
    EXPECT_EQ(tap.judge(R"({"choices":[{"index":1,"delta":{"content":"y"}}]})"), semantic);
    Capture out;
    ASSERT_EQ(tap.end(nullptr, out).status, WM_OK);
    EXPECT_EQ(out.verdict(), error);
}

TEST(ChatTap, IndexesBeyondTheProtocolDoNoHarm) {
    const Transcoder chat("openai-chat");
    Tap tap(chat);
    EXPECT_EQ(tap.judge(R"({"choices":[{"index":18446744073709551615,"delta":{"content":"x"}}]})"), semantic);
    EXPECT_EQ(
        tap.judge(
            R"({"choices":[{"index":-1,"delta":{"content":"x"}},{"index":1e9,"delta":{}},{"index":4000000000,"delta":{}}]})"),
        semantic);
}

TEST(EveryTap, MalformedFramesAreBadInput) {
    for (const char* plugin : {"openai-chat", "openai-responses", "anthropic-messages"}) {
        const Transcoder transcoder(plugin);
        for (const char* data :
             {"{", "nonsense", "[]", "\"x\"", "{\"type\":\"x\"}}", "{\"choices\":[}", "{\"a\":\"\\x\"}", "{'a':1}"}) {
            Capture stream, document;
            EXPECT_EQ(Tap(transcoder).frame({}, data, stream).status, WM_BAD_INPUT) << plugin << data;
            EXPECT_EQ(Tap(transcoder).document(data, document).status, WM_BAD_INPUT) << plugin << data;
        }
        Capture empty, raw;
        EXPECT_EQ(Tap(transcoder).document({}, empty).status, WM_BAD_INPUT) << plugin;
        EXPECT_EQ(Tap(transcoder).frame({}, "x", raw, WM_FRAME_RAW).status, WM_UNSUPPORTED) << plugin;
        EXPECT_EQ(Tap(transcoder).judge(" ") & idle, idle) << plugin;
    }
}

TEST(EveryTap, HostileFramesAreBounded) {
    for (const char* plugin : {"openai-chat", "openai-responses", "anthropic-messages"}) {
        const Transcoder transcoder(plugin);
        for (const char* open : {"[", "{\"choices\":[", "{\"response\":", "{\"message\":", "{\"error\":"}) {
            std::string data = "{\"type\":\"response.created\",\"choices\":";
            for (int i = 0; i < 50'000; ++i) data += open;
            Capture stream, document;
            EXPECT_EQ(Tap(transcoder).frame({}, data, stream).status, WM_BAD_INPUT);
            EXPECT_EQ(Tap(transcoder).document(data, document).status, WM_BAD_INPUT);
        }
    }
}

TEST(EveryTap, LoneSurrogatesAreNoFailure) {
    EXPECT_EQ(Tap(Transcoder("openai-chat")).judge(R"({"choices":[{"index":0,"delta":{"content":"\ud83d"}}]})"),
              semantic);
    Capture out;
    const Transcoder chat("openai-chat");
    Tap tap(chat);
    ASSERT_EQ(tap.frame({}, R"({"error":{"message":"a\ud83d\ude42b\ude42"}})", out).status, WM_OK);
    EXPECT_EQ(out.value(WM_EV_TEXT, ""), "a\xF0\x9F\x99\x82"
                                         "b\xEF\xBF\xBD");
}

TEST(EveryTap, AfterAnErrorEverythingIsError) {
    const Transcoder chat("openai-chat");
    Tap tap(chat);
    EXPECT_EQ(tap.judge(R"({"error":{"message":"x"}})"), error);
    EXPECT_EQ(tap.judge("[DONE]"), error);
    Capture out;
    ASSERT_EQ(tap.end(nullptr, out).status, WM_OK);
    EXPECT_EQ(out.verdict(), error);
}

TEST(EveryTap, PassesOnWhatTheSinkSays) {
    const Transcoder chat("openai-chat");
    for (std::size_t after = 0; after < 4; ++after) {
        Tap tap(chat);
        Capture out;
        out.refuse_after = after;
        EXPECT_EQ(tap.frame({}, R"({"error":{"message":"x","code":"y"}})", out).status, WM_REFUSED);
    }
}

struct Row {
    const char *data, *word, *status;
};

TEST(ChatTap, LocatesErrors) {
    const Row rows[] = {
        {R"({"error":{"type":"invalid_request_error","code":"model_not_found"}})", "not_found", ""},
        {R"({"error":{"type":"insufficient_quota","code":"insufficient_quota"}})", "quota", ""},
        {R"({"error":{"type":"requests","code":"rate_limit_exceeded"}})", "rate_limit", ""},
        {R"({"error":{"type":"tokens"}})", "rate_limit", ""},
        {R"({"error":{"code":429,"message":"x"}})", "rate_limit", "429"},
        {R"({"error":{"code":503}})", "overloaded", "503"},
        {R"({"error":{"code":402}})", "billing", "402"},
        {R"({"error":{"code":7,"type":"weird"}})", "api", ""},
        {R"({"error":{"status_code":504}})", "timeout", "504"},
        {R"({"error":"text"})", "api", ""},
        {R"({"error":true})", "api", ""},
        {R"({"error":{}})", "api", ""},
    };
    const Transcoder chat("openai-chat");
    for (const Row& row : rows) {
        Tap tap(chat);
        Capture out;
        ASSERT_EQ(tap.frame({}, row.data, out).status, WM_OK);
        EXPECT_EQ(out.verdict(), error) << row.data;
        EXPECT_EQ(out.value(WM_EV_ERROR, row.word), row.status) << row.data;
        EXPECT_EQ(out.events[0].node, 1u);
    }
}

// A bound that a document model on a heap misses; wide enough for a loaded machine.
TEST(ChatTap, IsCheapPerChunk) {
    const std::string chunk =
        R"({"id":"chatcmpl-Bk3PqWfT2vR7xYz1LmN8oKcD4eGh","object":"chat.completion.chunk","created":1748000123,"model":"gpt-4.1-mini-2025-04-14",)"
        R"("service_tier":"default","system_fingerprint":"fp_6f2eabb9a5","choices":[{"index":0,"delta":{"content":" token"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"a1b2c3"})";
    const Transcoder chat("openai-chat");
    wm_params params{};
    params.size = sizeof params;
    wm_tap* tap = chat.table().tap_open(chat.self(), &params, nullptr);
    const wm_frame frame{sizeof(wm_frame), WM_FRAME_MESSAGE, {}, bytes(chunk)};
    const wm_sink sink{sizeof(wm_sink), 0, nullptr,
                       [](void*, const wm_event*) WM_NOEXCEPT -> wm_status { return WM_OK; }};
    constexpr int rounds = 20'000;
    auto best = std::chrono::nanoseconds::max();
    for (int repeat = 0; repeat < 5; ++repeat) {
        const auto start = cpu_time();
        for (int i = 0; i < rounds; ++i) ASSERT_EQ(chat.table().tap(tap, &frame, &sink, nullptr), WM_OK);
        best = std::min(best, cpu_time() - start);
    }
    chat.table().tap_close(tap);
    RecordProperty("ns_per_chunk", static_cast<int>(best.count() / rounds));
    std::printf("%lld ns per chunk of %zu bytes\n", static_cast<long long>(best.count() / rounds), chunk.size());
    EXPECT_LT(best / rounds, std::chrono::microseconds(20));
}

} // namespace
