#include "tables.h"

#include <gtest/gtest.h>

namespace wm::plugin::test {
namespace {

struct TapTest : testing::Test {
    FakeTranscoder fake;
    std::unique_ptr<Transcoder> transcoder = make(fake);

    std::unique_ptr<Tap> open() {
        auto tap = transcoder->open_tap({});
        return tap ? std::move(*tap) : nullptr;
    }
};

TEST_F(TapTest, GetsItsParameters) {
    wm_params seen{};
    fake.tap_open = [&](const wm_params& params, wm_error*) {
        seen = params;
        return true;
    };
    TalkParams params;
    params.exchange = "x1";
    params.now_ms = 5;
    params.stream = params.usage_asked_by_gateway_alone = true;
    params.attempt = 2;
    ASSERT_TRUE(transcoder->open_tap(params));
    EXPECT_EQ(to_view(seen.exchange), "x1");
    EXPECT_EQ(seen.flags, std::uint32_t(WM_PARAMS_STREAM | WM_PARAMS_USAGE_BY_GATEWAY));
    EXPECT_EQ(seen.role, std::uint32_t(WM_ROLE_UPSTREAM));
    EXPECT_EQ(seen.attempt, 2u);
    EXPECT_EQ(seen.now_ms, 5u);
}

TEST_F(TapTest, ThatDoesNotOpenSaysWhy) {
    fake.tap_open = [](const wm_params&, wm_error* error) { return say(error, "", "no memory"), false; };
    const auto tap = transcoder->open_tap({});
    ASSERT_FALSE(tap);
    EXPECT_EQ(tap.error().message, "transcoder fake: tap_open: no memory");
    EXPECT_EQ(tap.error().status, WM_INTERNAL);
}

TEST_F(TapTest, IsClosedOnce) {
    {
        const auto tap = open();
        EXPECT_EQ(fake.taps_open, 1);
    }
    EXPECT_EQ(fake.taps_open, 0);
}

TEST_F(TapTest, ReportsVerdictAndUsage) {
    fake.tap = [](const wm_frame& frame, const wm_sink* sink, wm_error*) {
        EXPECT_EQ(frame.kind, std::uint32_t(WM_FRAME_MESSAGE));
        EXPECT_EQ(to_view(frame.name), "message_delta");
        put(sink, WM_EV_USAGE, "input", "12");
        put(sink, WM_EV_USAGE, "input", "13"); // the last one wins
        put(sink, WM_EV_USAGE, "output", "4");
        put(sink, WM_EV_USAGE, "input_cached", "null"); // unknown, not zero
        put(sink, WM_EV_USAGE, "input_cache_write", "1");
        put(sink, WM_EV_USAGE, "output_reasoning", "2");
        put(sink, WM_OUT_PIN, "response", "r1");
        return put(sink, WM_OUT_VERDICT, "", "", WM_FLAG_SEMANTIC | WM_FLAG_TERMINAL);
    };
    const auto report = open()->frame("message_delta", "{}", framing::FrameKind::message);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->verdict, std::uint32_t(semantic | terminal));
    EXPECT_EQ(report->usage.input, 13u);
    EXPECT_EQ(report->usage.output, 4u);
    EXPECT_EQ(report->usage.input_cached, std::nullopt);
    EXPECT_EQ(report->usage.input_cache_write, 1u);
    EXPECT_EQ(report->usage.output_reasoning, 2u);
    EXPECT_EQ(report->pins, PinList{pin_of("response", "r1")});
    EXPECT_FALSE(report->error);
}

TEST_F(TapTest, HandlesMayFillTheFrameAndAreBounded) {
    const std::string data(1 << 20, 'A');
    fake.tap = [&](const wm_frame& frame, const wm_sink* sink, wm_error*) {
        put(sink, WM_OUT_PIN, "reasoning", to_view(frame.data));
        for (int i = 0; i < 1000; ++i) put(sink, WM_OUT_PIN, "item", std::to_string(i));
        return put(sink, WM_OUT_VERDICT, "", "", WM_FLAG_SEMANTIC);
    };
    const auto tap = open();
    const auto report = tap->frame("", data, framing::FrameKind::document);
    ASSERT_TRUE(report);
    ASSERT_EQ(report->pins.size(), most_made);
    EXPECT_EQ(report->pins.front(), pin_of("reasoning", data));
}

TEST_F(TapTest, FramesByItselfWhatIsRaw) {
    fake.tap = [](const wm_frame& frame, const wm_sink* sink, wm_error*) {
        EXPECT_EQ(frame.kind, std::uint32_t(WM_FRAME_RAW));
        return put(sink, WM_OUT_VERDICT, "", "", WM_FLAG_IDLE);
    };
    EXPECT_TRUE(open()->frame("", "{\"te", framing::FrameKind::raw));
}

TEST_F(TapTest, ReadsAnErrorTreeAmongOtherEvents) {
    fake.tap = [](const wm_frame& frame, const wm_sink* sink, wm_error*) {
        EXPECT_EQ(frame.kind, std::uint32_t(WM_FRAME_DOCUMENT));
        put(sink, WM_OUT_VERDICT, "", "", WM_FLAG_ERROR);
        put(sink, WM_EV_ERROR, "overloaded", "529", 0, 7);
        put(sink, WM_EV_TEXT, "", "too ", 0, 7);
        put(sink, WM_EV_TEXT, "", "of another node", 0, 8);
        put(sink, WM_EV_TEXT, "", "many", 0, 7);
        put(sink, WM_EV_ATTR, "code", R"("a\u0062c")", 0, 7);
        put(sink, WM_EV_ATTR, "param", "null", 0, 7);
        put(sink, WM_EV_ATTR, "refused_by", R"("provider")", 0, 7);
        put(sink, WM_EV_END, "", "", 0, 7);
        return put(sink, WM_EV_TEXT, "", "after its end", 0, 7);
    };
    const auto report = open()->frame("", "{}", framing::FrameKind::document);
    ASSERT_TRUE(report);
    ASSERT_TRUE(report->error);
    EXPECT_EQ(report->error->type, "overloaded");
    EXPECT_EQ(report->error->http_status, 529);
    EXPECT_EQ(report->error->message, "too many");
    EXPECT_EQ(report->error->code, "abc");
    EXPECT_EQ(report->error->param, "");
    EXPECT_EQ(report->error->refused_by, "provider");
}

TEST_F(TapTest, NumericCodesStayAsTheyWereWritten) {
    fake.tap = [](const wm_frame&, const wm_sink* sink, wm_error*) {
        put(sink, WM_OUT_VERDICT, "", "", WM_FLAG_ERROR);
        put(sink, WM_EV_ERROR, "api", "", 0, 1);
        return put(sink, WM_EV_ATTR, "code", "1302", 0, 1);
    };
    const auto report = open()->frame("", "{}", framing::FrameKind::document);
    ASSERT_TRUE(report && report->error);
    EXPECT_EQ(report->error->code, "1302");
    EXPECT_EQ(report->error->http_status, 0);
}

TEST_F(TapTest, AClientsStreamIsClosedAfterACutAndAfterAFailure) {
    fake.tap = [](const wm_frame&, const wm_sink*, wm_error* error) { return say(error, "", "no JSON"), WM_BAD_INPUT; };
    fake.tap_end = [](const wm_events* error, const wm_sink* sink, wm_error*) {
        if (!error) return put(sink, WM_OUT_VERDICT, "", "", WM_FLAG_ERROR);
        return put(sink, WM_OUT_FRAME, "error", "{}", WM_FLAG_TERMINAL);
    };
    const ErrorReport cut_off{.type = "api"};
    const auto failed = open();
    EXPECT_FALSE(failed->frame("", "x", framing::FrameKind::message));
    const auto ended = failed->end(&cut_off);
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->frames.size(), 1u);
    EXPECT_FALSE(failed->end(&cut_off)); // once

    const auto cut = open();
    EXPECT_TRUE(cut->end(nullptr));
    EXPECT_TRUE(cut->end(&cut_off));
    EXPECT_FALSE(cut->end(nullptr));
}

TEST_F(TapTest, AfterAFailureNoFrameIsGiven) {
    fake.tap = [](const wm_frame&, const wm_sink*, wm_error* error) { return say(error, "", "no JSON"), WM_BAD_INPUT; };
    const auto tap = open();
    const auto first = tap->frame("", "x", framing::FrameKind::message);
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().status, WM_BAD_INPUT);
    EXPECT_FALSE(tap->frame("", "x", framing::FrameKind::message));
    EXPECT_FALSE(tap->end(nullptr));
    EXPECT_EQ(fake.taps, 1);
}

TEST_F(TapTest, AnErrorStillClosesTheStreamAfterAnUnreadableFrameAndAfterACut) {
    fake.tap = [](const wm_frame&, const wm_sink*, wm_error* error) {
        return say(error, "x", "no JSON"), WM_BAD_INPUT;
    };
    fake.tap_end = [](const wm_events* error, const wm_sink* sink, wm_error*) {
        return error ? WM_UNSUPPORTED : put(sink, WM_OUT_VERDICT, "", "", WM_FLAG_ERROR);
    };
    const ErrorReport error;
    auto tap = open();
    ASSERT_FALSE(tap->frame("", "x", framing::FrameKind::message));
    const auto ended = tap->end(&error);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().status, WM_UNSUPPORTED); // it was called
    EXPECT_EQ(ended.error().where, "");              // and the frame's error is not told again
    EXPECT_EQ(ended.error().message.find("no JSON"), std::string::npos);

    tap = open();
    EXPECT_TRUE(tap->end(nullptr));
    EXPECT_FALSE(tap->end(nullptr));
    EXPECT_EQ(tap->end(&error).error().status, WM_UNSUPPORTED);
    EXPECT_EQ(tap->end(&error).error().status, WM_INTERNAL);
}

TEST_F(TapTest, OkWithoutAVerdictIsAFault) {
    const auto report = open()->frame("", "{}", framing::FrameKind::message);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().status, WM_INTERNAL);
    EXPECT_NE(report.error().message.find("without a VERDICT"), std::string::npos);
}

TEST_F(TapTest, ReportsDoNotLeakIntoTheNext) {
    bool second = false;
    fake.tap = [&](const wm_frame&, const wm_sink* sink, wm_error*) {
        if (!second) put(sink, WM_EV_USAGE, "input", "1");
        return second ? WM_OK : put(sink, WM_OUT_VERDICT, "", "", WM_FLAG_SEMANTIC);
    };
    const auto tap = open();
    ASSERT_TRUE(tap->frame("", "{}", framing::FrameKind::message));
    second = true;
    EXPECT_FALSE(
        tap->frame("", "{}", framing::FrameKind::message)); // the first verdict does not stand in for the second
}

TEST_F(TapTest, EndPutsFramesForAnError) {
    fake.tap_end = [](const wm_events* error, const wm_sink* sink, wm_error*) {
        EXPECT_TRUE(error);
        EXPECT_EQ(to_view(error->at[0].name), "timeout");
        put(sink, WM_OUT_FRAME, "error", "{\"a\":1}", WM_FLAG_ERROR);
        return put(sink, WM_OUT_FRAME, "", "[DONE]", WM_FLAG_TERMINAL);
    };
    ErrorReport error;
    error.type = "timeout";
    const auto tap = open();
    const auto ended = tap->end(&error);
    ASSERT_TRUE(ended);
    ASSERT_EQ(ended->frames.size(), 2u);
    EXPECT_EQ(ended->frames[0].name, "error");
    EXPECT_EQ(ended->frames[0].data, "{\"a\":1}");
    EXPECT_EQ(ended->frames[1].flags, std::uint32_t(terminal));
    EXPECT_FALSE(tap->end(&error)); // once
}

TEST_F(TapTest, EndWithoutAnErrorNeedsAVerdict) {
    fake.tap_end = [](const wm_events* error, const wm_sink* sink, wm_error*) {
        EXPECT_FALSE(error);
        return put(sink, WM_OUT_VERDICT, "", "", WM_FLAG_ERROR);
    };
    const auto cut = open()->end(nullptr);
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->verdict, std::uint32_t(Verdict::error));
    fake.tap_end = nullptr;
    const auto silent = open()->end(nullptr);
    ASSERT_FALSE(silent);
    EXPECT_EQ(silent.error().status, WM_INTERNAL);
}

TEST(UsageMerge, KeepsWhatTheLaterDoesNotSay) {
    Usage usage;
    usage.input = 5;
    usage.output = 1;
    Usage later;
    later.output = 9;
    usage.merge(later);
    EXPECT_EQ(usage.input, 5u);
    EXPECT_EQ(usage.output, 9u);
    EXPECT_EQ(usage.input_cached, std::nullopt);
}

} // namespace
} // namespace wm::plugin::test
