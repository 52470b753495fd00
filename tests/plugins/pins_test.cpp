// What requests are found to continue, and what answers are found to have made.
#include "harness.h"

#include <watermaster/translation/carrier.hpp>

#include <gtest/gtest.h>

namespace {

using namespace wm::test;

std::string pins(const Capture& out) {
    std::string text;
    for (const auto& e : out.events)
        if (e.tag == WM_OUT_PIN) text += (text.empty() ? "" : " ") + e.name + "=" + e.value;
    return text;
}

std::string asked(const char* plugin, const std::string& members) {
    Capture out;
    EXPECT_EQ(Transcoder(plugin).facts(R"({"model":"a",)" + members + "}", out).status, WM_OK) << members;
    return pins(out);
}

struct Row {
    std::string members, pins;
};

void expect(const char* plugin, const std::vector<Row>& rows) {
    for (const auto& row : rows) EXPECT_EQ(asked(plugin, row.members), row.pins) << plugin << ' ' << row.members;
}

TEST(Pins, OfResponsesRequests) {
    const auto carried = wm::sdk::carry("gemini", "sealed elsewhere", true);
    const auto carried_signature = wm::sdk::carry("anthropic-messages", "signed");
    expect(
        "openai-responses",
        {{R"("input":"x")", ""},
         {R"("previous_response_id":"resp_1","input":"x")", "response=resp_1"},
         {R"("previous_response_id":null,"conversation":null)", ""},
         {R"("previous_response_id":"")", ""},
         {R"("previous_response_id":7,"conversation":[1])", ""},
         {R"("previous_response_id":"r\u0065sp_1")", "response=resp_1"},
         {R"("conversation":"conv_1")", "conversation=conv_1"},
         {R"("previous_response_id":"resp_1","conversation":{"id":"conv_1"})", "conversation=conv_1 response=resp_1"},
         {R"("input":[{"type":"item_reference","id":"msg_1"}])", "item=msg_1"},
         {R"("input":[{"type":"message","id":"msg_1","role":"assistant","content":"x"},)"
          R"({"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}"}])",
          ""},
         {R"("input":[{"type":"reasoning","id":"rs_1","summary":[]}])", "item=rs_1"},
         {R"("input":[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":null}])", "item=rs_1"},
         {R"("input":[{"type":"reasoning","id":"rs_1","summary":[{"text":"x"}],"content":[]}])", "item=rs_1"},
         {R"("input":[{"type":"reasoning","id":"rs_1","content":[{"type":"reasoning_text","text":"x"}]}])", ""},
         {R"("input":[{"encrypted_content":"gAAA=","content":[{"type":"x","encrypted_content":7}],"type":"reasoning","id":"rs_1"}])",
          "reasoning=gAAA="},
         {R"("input":[{"type":"compaction","encrypted_content":"gBBB"}])", "reasoning=gBBB"},
         {R"("input":[{"type":"reasoning","encrypted_content":")" + carried + R"("}])", "carried=sealed elsewhere"},
         {R"("input":[{"type":"reasoning","encrypted_content":")" + carried_signature + R"("}])", ""},
         {R"("input":[{"type":"reasoning","encrypted_content":"wm1.none."}])", ""},
         {R"("input":[{"role":"user","content":[{"type":"input_file","file_id":"file-1"},{"type":"input_image","file_id":"file-2"}]},)"
          R"({"type":"function_call_output","output":[{"type":"input_image","file_id":"file-3"}]}])",
          "file=file-1 file=file-2 file=file-3"},
         {R"("input":[{"role":"user","content":[{"type":"input_text","file_id":"file-1"}]}])", ""},
         {R"("tools":[{"type":"code_interpreter","container":"cntr_1"},{"type":"file_search","vector_store_ids":["vs_1",2,"vs_2"]}])",
          "file=vs_1 file=vs_2 container=cntr_1"},
         {R"("tools":[{"type":"code_interpreter","container":{"type":"auto"}},{"type":"file_search","vector_store_ids":"x"},7])",
          ""},
         {R"("tools":{"container":"cntr_1"})", ""}});
}

TEST(Pins, OfChatRequests) {
    expect(
        "openai-chat",
        {{R"("messages":[{"role":"user","content":"x"}])", ""},
         {R"("messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"file-1"}}]}])", "file=file-1"},
         {R"("messages":[{"role":"user","content":[{"type":"file","file":{"file_data":"AAAA","filename":"a"}}]}])", ""},
         {R"("messages":[{"role":"user","content":[{"type":"file","file":"file-1"},{"type":"text","file":{"file_id":"x"}}]}])",
          ""},
         {R"("messages":[{"role":"assistant","audio":{"id":"audio_1"}},{"role":"user","content":"x"}])",
          "audio=audio_1"},
         {R"("messages":[{"role":"assistant","audio":null}],"audio":{"id":"no","voice":"alloy"})", ""}});
}

TEST(Pins, OfMessagesRequests) {
    const auto carried = wm::sdk::carry("openai-responses", "gAAA=", true);
    const auto carried_signature = wm::sdk::carry("gemini", "signed");
    expect(
        "anthropic-messages",
        {{R"("messages":[{"role":"user","content":"x"}])", ""},
         {R"("messages":[{"role":"user","content":[{"type":"document","source":{"type":"file","file_id":"file_1"}},)"
          R"({"type":"image","source":{"file_id":"file_2","type":"file"}},{"type":"container_upload","file_id":"file_3"}]}])",
          "file=file_1 file=file_2 file=file_3"},
         {R"("messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"image","source":{"type":"file","file_id":"f"}}]}]}])",
          "file=f"},
         {R"("messages":[{"role":"user","content":[{"type":"image","source":"f"},{"type":"text","source":{"file_id":"f"}}]}])",
          ""},
         {R"("container":"container_1","messages":[])", "container=container_1"},
         {R"("container":{"id":"container_1","skills":[]},"messages":[])", "container=container_1"},
         {R"("container":{"skills":[]},"messages":[])", ""},
         // The provider takes its own signatures, and what it redacted, with any key.
         {R"("messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"EqQB"},)"
          R"({"type":"redacted_thinking","data":"EmwK"}]}])",
          ""},
         {R"("messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":")" + carried +
              R"("},{"type":"thinking","thinking":"","signature":")" + carried_signature + R"("}]}])",
          "carried=gAAA="}});
}

TEST(Pins, AreTheNewestOfTheirKind) {
    std::string input;
    for (int i = 0; i < 50; ++i)
        input += (i ? "," : "") + std::string(R"({"type":"reasoning","encrypted_content":"g)") + std::to_string(i) +
                 R"("},{"type":"item_reference","id":"i)" + std::to_string(i) + R"("})";
    EXPECT_EQ(asked("openai-responses", R"("previous_response_id":"r","input":[)" + input + "]"),
              "item=i46 item=i47 item=i48 item=i49 reasoning=g46 reasoning=g47 reasoning=g48 reasoning=g49 response=r");
}

std::string made(const char* plugin, const std::vector<std::string>& frames) {
    const Transcoder transcoder(plugin);
    Tap tap(transcoder);
    Capture out;
    for (const auto& frame : frames) EXPECT_EQ(tap.frame({}, frame, out).status, WM_OK) << frame;
    return pins(out);
}

std::string made_whole(const char* plugin, const std::string& document) {
    const Transcoder transcoder(plugin);
    Tap tap(transcoder);
    Capture out;
    EXPECT_EQ(tap.document(document, out).status, WM_OK) << document;
    return pins(out);
}

const std::string output =
    R"([{"type":"reasoning","id":"rs_1","encrypted_content":"gAAA="},{"type":"message","id":"msg_1","content":[{"id":"no"}]},)"
    R"({"type":"code_interpreter_call","id":"ci_1","container_id":"cntr_1"},7])";

TEST(Pins, OfResponsesAnswers) {
    const auto response = [](const char* status, const std::string& more) {
        return R"({"id":"resp_1","status":")" + std::string(status) + R"(","conversation":{"id":"conv_1"},"output":)" +
               more + "}";
    };
    const std::string all =
        "response=resp_1 conversation=conv_1 item=rs_1 reasoning=gAAA= item=msg_1 item=ci_1 container=cntr_1";
    EXPECT_EQ(made_whole("openai-responses", response("completed", output)), all);
    const auto event = [](const char* type, const std::string& member) {
        return R"({"type":")" + std::string(type) + "\"," + member + "}";
    };
    const auto created = event("response.created", R"("response":)" + response("in_progress", "[]"));
    const auto completed = event("response.completed", R"("response":)" + response("completed", output));
    // Items are told one by one, or at the end alone; never twice.
    EXPECT_EQ(made("openai-responses", {created, completed}), all);
    EXPECT_EQ(made("openai-responses",
                   {created, event("response.output_item.added", R"("item":{"type":"reasoning","id":"rs_1"})"),
                    event("response.output_item.done",
                          R"("item":{"type":"reasoning","id":"rs_1","encrypted_content":"gAAA="})"),
                    completed}),
              "response=resp_1 conversation=conv_1 item=rs_1 reasoning=gAAA=");
    EXPECT_EQ(made("openai-responses", {event("response.created", R"("response":{"id":7,"conversation":"x"})"),
                                        event("response.output_item.done", R"("item":7)")}),
              "");
}

TEST(Pins, OfChatAnswers) {
    EXPECT_EQ(
        made_whole(
            "openai-chat",
            R"({"id":"chatcmpl-1","choices":[{"message":{"role":"assistant","audio":{"data":"AA","id":"audio_1"}}}]})"),
        "audio=audio_1");
    EXPECT_EQ(made("openai-chat", {R"({"id":"chatcmpl-1","choices":[{"delta":{"audio":{"id":"audio_1"}}}]})",
                                   R"({"choices":[{"delta":{"audio":{"data":"AA"},"content":"x"}}]})"}),
              "audio=audio_1");
    EXPECT_EQ(made_whole("openai-chat", R"({"choices":[{"message":{"content":"x","audio":null}}]})"), "");
}

TEST(Pins, OfMessagesAnswers) {
    EXPECT_EQ(made_whole("anthropic-messages",
                         R"({"id":"msg_1","container":{"id":"container_1","expires_at":"x"},"content":[]})"),
              "container=container_1");
    EXPECT_EQ(made("anthropic-messages",
                   {R"({"type":"message_start","message":{"id":"msg_1","container":null}})",
                    R"({"type":"message_delta","delta":{"stop_reason":"end_turn","container":{"id":"container_1"}}})"}),
              "container=container_1");
    EXPECT_EQ(made("anthropic-messages", {R"({"type":"message_start","message":{"container":{"id":"container_1"}}})"}),
              "container=container_1");
}

} // namespace
