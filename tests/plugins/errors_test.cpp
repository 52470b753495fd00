// Error documents, and how failed streams are closed.
#include "harness.h"

#include <gtest/gtest.h>

namespace {

using namespace wm::test;

std::string document(const char* plugin, const std::vector<wm_event>& tree) {
    Capture out;
    EXPECT_EQ(Transcoder(plugin).write_error(tree, out).status, WM_OK);
    EXPECT_EQ(out.events.size(), 1u);
    return out.value(WM_OUT_BODY, "");
}

struct Row {
    const char *type, *status, *native;
};

TEST(WriteError, TypesByStatusThenByWord) {
    const Row rows[] = {
        {"invalid_request", "400", "invalid_request_error"},
        {"authentication", "401", "authentication_error"},
        {"billing", "402", "billing_error"},
        {"permission", "403", "permission_error"},
        {"not_found", "404", "not_found_error"},
        {"invalid_request", "409", "conflict_error"},
        {"invalid_request", "413", "request_too_large"},
        {"rate_limit", "429", "rate_limit_error"},
        {"api", "500", "api_error"},
        {"timeout", "504", "timeout_error"},
        {"overloaded", "529", "overloaded_error"},
        {"overloaded", "503", "overloaded_error"},
        {"api", "502", "api_error"},
        {"invalid_request", "422", "invalid_request_error"},
        {"overloaded", "", "overloaded_error"},
        {"timeout", "", "timeout_error"},
        {"too_large", "", "request_too_large"},
        {"vendor.new", "418", "invalid_request_error"},
        {"vendor.new", "", "api_error"},
    };
    for (const Row& row : rows) {
        const auto tree = error_tree(row.type, row.status, "m");
        const std::string type = std::string("\"type\":\"") + row.native + "\"";
        EXPECT_EQ(document("anthropic-messages", tree),
                  "{\"type\":\"error\",\"error\":{" + type + ",\"message\":\"m\"}}");
        for (const char* plugin : {"openai-chat", "openai-responses"})
            EXPECT_EQ(document(plugin, tree),
                      "{\"error\":{\"message\":\"m\"," + type + ",\"param\":null,\"code\":null}}");
    }
}

TEST(WriteError, KeepsTheMessageAndTheDetails) {
    const auto tree =
        error_tree("quota", "429", "say \"please\"\n\xE5\x8C\x97", R"("insufficient_quota")", R"("messages[0]")");
    EXPECT_EQ(document("openai-chat", tree),
              "{\"error\":{\"message\":\"say \\\"please\\\"\\n\xE5\x8C\x97\",\"type\":\"insufficient_quota\","
              "\"param\":\"messages[0]\",\"code\":\"insufficient_quota\"}}");
    EXPECT_EQ(document("anthropic-messages", tree), "{\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\","
                                                    "\"message\":\"say \\\"please\\\"\\n\xE5\x8C\x97\"}}");
}

TEST(WriteError, JoinsTextPiecesAndIgnoresOtherNodes) {
    std::vector<wm_event> tree{event(WM_EV_PING, {}, {}, 0),     event(WM_EV_ERROR, "api", "500", 4),
                               event(WM_EV_TEXT, {}, "one ", 4), event(WM_EV_TEXT, {}, "not this", 5),
                               event(WM_EV_TEXT, {}, "two", 4),  event(WM_EV_ATTR, WM_ATTR_REQUEST_ID, "\"req_9\"", 4),
                               event(WM_EV_END, {}, {}, 4)};
    EXPECT_EQ(document("anthropic-messages", tree),
              R"({"type":"error","error":{"type":"api_error","message":"one two"},"request_id":"req_9"})");
    EXPECT_EQ(document("openai-chat", {}), R"({"error":{"message":"","type":"api_error","param":null,"code":null}})");
}

TEST(TapEnd, ClosesEachProtocolLegally) {
    const auto tree = error_tree("overloaded", "529", "upstream went away");
    {
        const Transcoder chat("openai-chat");
        Tap tap(chat);
        tap.judge(R"({"choices":[{"index":0,"delta":{"content":"A"},"finish_reason":null}]})");
        Capture out;
        ASSERT_EQ(tap.end(&tree, out).status, WM_OK);
        ASSERT_EQ(out.events.size(), 1u); // no finish_reason, no [DONE]
        EXPECT_EQ(out.events[0].name, "");
        EXPECT_EQ(out.events[0].flags, WM_FLAG_ERROR);
        EXPECT_EQ(out.events[0].value,
                  R"({"error":{"message":"upstream went away","type":"overloaded_error","param":null,"code":null}})");
    }
    {
        const Transcoder messages("anthropic-messages");
        Tap tap(messages);
        Capture out;
        ASSERT_EQ(tap.end(&tree, out).status, WM_OK);
        ASSERT_EQ(out.events.size(), 1u);
        EXPECT_EQ(out.events[0].name, "error");
        EXPECT_EQ(out.events[0].value,
                  R"({"type":"error","error":{"type":"overloaded_error","message":"upstream went away"}})");
    }
}

TEST(TapEnd, ResponsesContinueTheSequence) {
    const Transcoder responses("openai-responses");
    const auto tree = error_tree("rate_limit", "429", "slow \"down\"");
    Tap tap(responses);
    tap.judge(
        R"({"type":"response.created","sequence_number":0,"response":{"id":"resp_9","created_at":17,"model":"m\u0031","status":"in_progress"}})");
    tap.judge(R"({"type":"response.output_text.delta","sequence_number":41,"delta":"x"})");
    Capture out;
    ASSERT_EQ(tap.end(&tree, out).status, WM_OK);
    ASSERT_EQ(out.events.size(), 1u);
    EXPECT_EQ(out.events[0].name, "response.failed");
    EXPECT_EQ(out.events[0].flags, WM_FLAG_ERROR);
    EXPECT_EQ(
        out.events[0].value,
        R"({"type":"response.failed","sequence_number":42,"response":{"id":"resp_9","object":"response","created_at":17,)"
        R"("status":"failed","error":{"code":"rate_limit_exceeded","message":"slow \"down\""},"incomplete_details":null,)"
        R"("model":"m\u0031","output":[],"usage":null,"instructions":null,"metadata":{},"parallel_tool_calls":true,)"
        R"("temperature":null,"tool_choice":"auto","tools":[],"top_p":null}})");
}

TEST(TapEnd, ResponsesStartWhereNothingWasSaid) {
    const Transcoder responses("openai-responses");
    const auto tree = error_tree("api", "", "no target answered", R"("all_targets_failed")");
    Tap tap(responses);
    Capture out;
    ASSERT_EQ(tap.end(&tree, out).status, WM_OK);
    ASSERT_EQ(out.events.size(), 2u);
    EXPECT_EQ(out.events[0].name, "response.created");
    EXPECT_NE(
        out.events[0].value.find(
            R"("sequence_number":0,"response":{"id":"resp_x17","object":"response","created_at":1748000999,"status":"in_progress","error":null)"),
        std::string::npos)
        << out.events[0].value;
    EXPECT_EQ(out.events[1].name, "response.failed");
    EXPECT_NE(out.events[1].value.find(R"("sequence_number":1,)"), std::string::npos);
    EXPECT_NE(out.events[1].value.find(R"("code":"all_targets_failed")"), std::string::npos);
    EXPECT_NE(out.events[1].value.find(R"("model":"upstream-model")"), std::string::npos);
}

} // namespace
