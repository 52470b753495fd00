#include "tables.h"

#include <gtest/gtest.h>

namespace wm::plugin::test {
namespace {

// In the middle of something larger, so that views outside it are still views.
constexpr std::string_view around = R"(<{"model":"fast","n":1}>>)";
constexpr std::string_view body = around.substr(1, 22);

RequestView request(std::string_view text = body) {
    RequestView out;
    out.method = "POST";
    out.path = "/v1/x";
    out.operation = "create";
    out.body = text;
    return out;
}

struct Case {
    const char *name, *value;
};

Called<RequestFacts> facts_of(std::vector<Case> cases, wm_status status = WM_OK) {
    FakeTranscoder fake;
    fake.facts = [&](const wm_request&, const wm_sink* sink, wm_error*) {
        for (const auto& one : cases)
            if (const auto stop = put(sink, WM_OUT_FACT, one.name, one.value); stop != WM_OK) return stop;
        return status;
    };
    return make(fake)->facts(request());
}

TEST(Facts, AreCollected) {
    const auto facts = facts_of({{"model", "fast"},
                                 {"stream", "true"},
                                 {"max_output", "128"},
                                 {"choices", "2"},
                                 {"text_bytes", "900"},
                                 {"media", "1"},
                                 {"tools", "true"},
                                 {"background", "false"},
                                 {"session", "s1"},
                                 {"usage", "false"},
                                 {"invented_later", "{}"}});
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->model, "fast");
    EXPECT_TRUE(facts->stream);
    EXPECT_FALSE(facts->usage_asked);
    EXPECT_EQ(facts->max_output, 128u);
    EXPECT_EQ(facts->text_bytes, 900u);
}

TEST(Facts, DefaultsSayNothing) {
    const auto facts = facts_of({{"model", "fast"}});
    ASSERT_TRUE(facts);
    EXPECT_FALSE(facts->stream);
    EXPECT_FALSE(facts->max_output);
    EXPECT_TRUE(facts->usage_asked);
}

TEST(Facts, PinsAreDigestsOfTheLast) {
    FakeTranscoder fake;
    fake.facts = [](const wm_request&, const wm_sink* sink, wm_error*) {
        put(sink, WM_OUT_FACT, "model", "m");
        for (int i = 0; i < 100; ++i) put(sink, WM_OUT_PIN, "file", std::to_string(i));
        put(sink, WM_OUT_PIN, "invented_later", "x");
        return put(sink, WM_OUT_PIN, "response", std::string(100, 'r'));
    };
    const auto facts = make(fake)->facts(request());
    ASSERT_TRUE(facts);
    ASSERT_EQ(facts->pins.size(), most_pins);
    EXPECT_EQ(facts->pins.back(), pin_of("response", std::string(100, 'r')));
    EXPECT_EQ(facts->pins[most_pins - 2], pin_of("invented_later", "x"));
    EXPECT_EQ(facts->pins.front(), pin_of("file", "70"));
    EXPECT_NE(pin_of("file", "70"), pin_of("item", "70"));
}

TEST(Facts, APinMayBeAsLongAsTheBody) {
    FakeTranscoder fake;
    const std::string large = R"({"model":"m","x":")" + std::string(3 << 20, 'A') + "\"}";
    fake.facts = [](const wm_request& request, const wm_sink* sink, wm_error*) {
        put(sink, WM_OUT_FACT, "model", "m");
        return put(sink, WM_OUT_PIN, "reasoning", to_view(request.body).substr(20));
    };
    EXPECT_TRUE(make(fake)->facts(request(large)));
}

TEST(Facts, OkWithoutAModelIsThePluginsFault) {
    const auto facts = facts_of({{"stream", "true"}});
    ASSERT_FALSE(facts);
    EXPECT_EQ(facts.error().status, WM_INTERNAL);
    EXPECT_EQ(facts.error().message, "transcoder fake: facts: plugin misbehaving: returned OK without a model FACT");
}

TEST(Facts, AValueOfAnotherTypeIsThePluginsFault) {
    for (const auto& bad : {Case{"stream", "yes"}, Case{"max_output", "1e3"}, Case{"choices", "-1"},
                            Case{"media", "few"}, Case{"tools", "1"}}) {
        const auto facts = facts_of({{"model", "fast"}, bad});
        ASSERT_FALSE(facts) << bad.name;
        EXPECT_EQ(facts.error().status, WM_INTERNAL);
    }
}

TEST(Facts, BadInputNamesTheMemberAndItsTextsAreMadePrintable) {
    FakeTranscoder fake;
    fake.facts = [](const wm_request&, const wm_sink*, wm_error* error) {
        say(error, "messages[0].\xc3\xa9\n", "line\r\nbreak");
        return WM_BAD_INPUT;
    };
    const auto facts = make(fake)->facts(request());
    ASSERT_FALSE(facts);
    EXPECT_EQ(facts.error().status, WM_BAD_INPUT);
    EXPECT_EQ(facts.error().where, "messages[0].???");
    EXPECT_EQ(facts.error().message, "transcoder fake: facts: line??break");
}

TEST(Facts, TextsWithoutAnEndAreCut) {
    FakeTranscoder fake;
    fake.facts = [](const wm_request&, const wm_sink*, wm_error* error) {
        std::fill(std::begin(error->where), std::end(error->where), 'w');
        std::fill(std::begin(error->message), std::end(error->message), 'm');
        return WM_LIMIT;
    };
    const auto facts = make(fake)->facts(request());
    ASSERT_FALSE(facts);
    EXPECT_EQ(facts.error().where, std::string(128, 'w'));
    EXPECT_EQ(facts.error().message, "transcoder fake: facts: " + std::string(368, 'm'));
}

TEST(Facts, InventedStatusIsInternal) {
    for (const wm_status status : {wm_status(7), wm_status(-99), wm_status(WM_REFUSED)}) {
        const auto facts = facts_of({{"model", "fast"}}, status);
        ASSERT_FALSE(facts);
        EXPECT_EQ(facts.error().status, WM_INTERNAL);
        EXPECT_NE(facts.error().message.find("status " + std::to_string(status)), std::string::npos);
    }
}

TEST(Sink, StopsEndlessResultsAndNullViews) {
    FakeTranscoder fake;
    int accepted = 0;
    fake.facts = [&](const wm_request&, const wm_sink* sink, wm_error*) {
        while (put(sink, WM_OUT_FACT, "later", "") == WM_OK) ++accepted;
        return WM_OK; // ignoring the refusal does not help
    };
    const auto endless = make(fake)->facts(request());
    ASSERT_FALSE(endless);
    EXPECT_NE(endless.error().message.find("too many results"), std::string::npos);
    EXPECT_LT(accepted, 100000);

    fake.facts = [&](const wm_request&, const wm_sink* sink, wm_error*) {
        const wm_event event{WM_OUT_FACT, 0, 0, 0, {nullptr, 0}, {nullptr, 5}};
        return sink->put(sink->ctx, &event);
    };
    const auto null_view = make(fake)->facts(request());
    ASSERT_FALSE(null_view);
    EXPECT_NE(null_view.error().message.find("null pointer"), std::string::npos);

    fake.facts = [&](const wm_request&, const wm_sink* sink, wm_error*) { return sink->put(sink->ctx, nullptr); };
    EXPECT_FALSE(make(fake)->facts(request()));
}

struct Edit {
    std::ptrdiff_t at;
    std::size_t length;
    const char* bytes;
};

Called<std::string> rewritten(std::vector<Edit> edits) {
    FakeTranscoder fake;
    fake.rewrite = [&](const wm_request& r, const wm_rename&, const wm_sink* sink, wm_error*) {
        for (const auto& edit : edits)
            if (const auto stop = put(sink, WM_OUT_SPLICE, {r.body.data + edit.at, edit.length}, edit.bytes);
                stop != WM_OK)
                return stop;
        return WM_OK;
    };
    return make(fake)->rewrite(request(), "slow", false);
}

TEST(Rewrite, GivesTheModelAndTheUsageFlag) {
    FakeTranscoder fake;
    std::string seen;
    std::uint32_t flags = 0;
    fake.rewrite = [&](const wm_request& r, const wm_rename& rename, const wm_sink* sink, wm_error*) {
        seen = to_view(rename.model);
        flags = rename.flags;
        return put(sink, WM_OUT_SPLICE, {r.body.data + 9, 6}, "\"" + seen + "\"");
    };
    const auto out = make(fake)->rewrite(request(), "slow", true);
    ASSERT_TRUE(out);
    EXPECT_EQ(*out, R"({"model":"slow","n":1})");
    EXPECT_EQ(seen, "slow");
    EXPECT_EQ(flags, std::uint32_t(WM_RENAME_ASK_USAGE));
}

TEST(Rewrite, AppliesEditsInTheOrderOfTheBody) {
    const auto out = rewritten({{21, 0, R"(,"x":2)"}, {9, 6, R"("slow")"}, {1, 0, R"("y":3,)"}, {22, 0, "\n"}});
    ASSERT_TRUE(out);
    EXPECT_EQ(*out, "{\"y\":3,\"model\":\"slow\",\"n\":1,\"x\":2}\n");
}

TEST(Rewrite, InsertsBeforeWhatIsReplacedAtTheSamePlace) {
    const auto out = rewritten({{9, 6, "B"}, {9, 0, "A"}});
    ASSERT_TRUE(out);
    EXPECT_EQ(*out, R"({"model":AB,"n":1})");
}

TEST(Rewrite, RefusesOverlaps) {
    for (const auto& edits :
         {std::vector<Edit>{{9, 6, "a"}, {14, 3, "b"}}, {{9, 6, "a"}, {9, 6, "b"}}, {{9, 6, "a"}, {11, 0, "b"}}}) {
        const auto out = rewritten(edits);
        ASSERT_FALSE(out);
        EXPECT_NE(out.error().message.find("two SPLICEs overlap"), std::string::npos);
    }
}

TEST(Rewrite, RefusesViewsOutsideTheBody) {
    for (const Edit edit : {Edit{18, 5, "past"}, Edit{23, 0, "beyond"}, Edit{-1, 1, "before"}}) {
        const auto out = rewritten({edit});
        ASSERT_FALSE(out);
        EXPECT_NE(out.error().message.find("outside the body"), std::string::npos) << edit.bytes;
    }
    EXPECT_TRUE(rewritten({{22, 0, "end"}}));
}

TEST(Rewrite, OkWithoutASpliceWouldSendTheClientsModel) {
    const auto out = rewritten({});
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error().status, WM_INTERNAL);
    EXPECT_NE(out.error().message.find("without a SPLICE"), std::string::npos);
}

TEST(Rewrite, NeedsNoSpliceWhereThePathNamesTheModel) {
    FakeTranscoder fake;
    fake.rewrite = [](const wm_request& r, const wm_rename&, const wm_sink*, wm_error*) {
        EXPECT_EQ(to_view(r.handle), "fast");
        return WM_OK;
    };
    auto named = request();
    named.handle = "fast";
    const auto out = make(fake)->rewrite(named, "slow", false);
    ASSERT_TRUE(out);
    EXPECT_EQ(*out, body);
}

TEST(WriteError, PassesTheReportAsAnErrorTree) {
    FakeTranscoder fake;
    std::string seen;
    fake.write_error = [&](const wm_events& events, const wm_sink* sink, wm_error*) {
        for (std::uint32_t i = 0; i < events.count; ++i) {
            const auto& e = events.at[i];
            seen += std::to_string(e.tag) + "/" + std::to_string(e.node) + " " + std::string(to_view(e.name)) + "=" +
                    std::string(to_view(e.value)) + ";";
        }
        put(sink, WM_OUT_BODY, "", "{");
        return put(sink, WM_OUT_BODY, "", "}");
    };
    const auto out = make(fake)->write_error({"rate_limit", 429, "slow \"down\"", "c\"1", "", "gateway"});
    ASSERT_TRUE(out);
    EXPECT_EQ(*out, "{}");
    EXPECT_EQ(seen, R"(4105/1 rate_limit=429;16/1 =slow "down";35/1 code="c\"1";35/1 refused_by="gateway";15/1 =;)");
}

TEST(WriteError, NoStatusIsEmptyAndNoBodyIsAFault) {
    FakeTranscoder fake;
    bool empty = false;
    fake.write_error = [&](const wm_events& events, const wm_sink*, wm_error*) {
        empty = events.at[0].value.size == 0;
        return WM_OK;
    };
    const auto out = make(fake)->write_error({"api", 0, "", "", "", ""});
    EXPECT_TRUE(empty);
    ASSERT_FALSE(out);
    EXPECT_NE(out.error().message.find("without a BODY"), std::string::npos);
}

TEST(Transcoder, DestroysItsSelfOnce) {
    FakeTranscoder fake;
    make(fake).reset();
    EXPECT_EQ(fake.destroyed, 1);
}

} // namespace
} // namespace wm::plugin::test
