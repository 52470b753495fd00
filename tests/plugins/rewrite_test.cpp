// Edits of native requests: the model, the usage option, and nothing else.
#include "harness.h"

#include <gtest/gtest.h>

namespace {

using namespace wm::test;

TEST(Rewrite, RenamesTheModelAndKeepsEveryOtherByte) {
    for (const char* plugin : {"openai-chat", "openai-responses", "anthropic-messages"}) {
        const Transcoder transcoder(plugin);
        EXPECT_EQ(
            transcoder.rewritten("{ \"a\" : 1.0e+2,\"model\" :\t\"old\", \"b\":12345678901234567890 }\n", "new", false),
            "{ \"a\" : 1.0e+2,\"model\" :\t\"new\", \"b\":12345678901234567890 }\n");
        EXPECT_EQ(transcoder.rewritten(R"({"\u006dodel":"x"})", "a\"b\\\n\xC3\xA9", false),
                  "{\"\\u006dodel\":\"a\\\"b\\\\\\n\xC3\xA9\"}");
        EXPECT_EQ(transcoder.rewritten(R"({"nested":{"model":"stays"},"model":"x"})", "y", false),
                  R"({"nested":{"model":"stays"},"model":"y"})");
    }
}

TEST(Rewrite, OnlyChatHasAUsageOption) {
    for (const char* plugin : {"openai-responses", "anthropic-messages"})
        EXPECT_EQ(Transcoder(plugin).rewritten(R"({"model":"a","stream":true})", "b", true),
                  R"({"model":"b","stream":true})");
}

struct Row {
    const char *body, *expected;
};

TEST(Rewrite, AsksForUsageInChatStreams) {
    const Row rows[] = {
        // put in
        {R"({"model":"a","stream":true})", R"({"stream_options":{"include_usage":true},"model":"b","stream":true})"},
        {R"( { "stream":true,"model":"a"})",
         R"( {"stream_options":{"include_usage":true}, "stream":true,"model":"b"})"},
        {R"({"model":"a","stream":true,"stream_options":null})",
         R"({"model":"b","stream":true,"stream_options":{"include_usage":true}})"},
        // merged
        {R"({"stream_options":{},"model":"a","stream":true})",
         R"({"stream_options":{"include_usage":true},"model":"b","stream":true})"},
        {R"({"stream_options":{ },"model":"a","stream":true})",
         R"({"stream_options":{"include_usage":true },"model":"b","stream":true})"},
        {R"({"model":"a","stream":true,"stream_options":{"x":1}})",
         R"({"model":"b","stream":true,"stream_options":{"include_usage":true,"x":1}})"},
        {R"({"model":"a","stream":true,"stream_options":{"include_usage":false,"x":1}})",
         R"({"model":"b","stream":true,"stream_options":{"include_usage":true,"x":1}})"},
        {R"({"model":"a","stream":true,"stream_options":{"include_usage":null}})",
         R"({"model":"b","stream":true,"stream_options":{"include_usage":true}})"},
        // left alone
        {R"({"model":"a","stream":true,"stream_options":{"include_usage":true}})",
         R"({"model":"b","stream":true,"stream_options":{"include_usage":true}})"},
        {R"({"model":"a","stream":true,"stream_options":"yes"})",
         R"({"model":"b","stream":true,"stream_options":"yes"})"},
        {R"({"model":"a","stream":true,"stream_options":[]})", R"({"model":"b","stream":true,"stream_options":[]})"},
        {R"({"model":"a","stream":true,"stream_options":{"include_usage":"no"}})",
         R"({"model":"b","stream":true,"stream_options":{"include_usage":"no"}})"},
        {R"({"model":"a","stream":true,"stream_options":{"include_usage":false,"Include_Usage":false}})",
         R"({"model":"b","stream":true,"stream_options":{"include_usage":false,"Include_Usage":false}})"},
        {R"({"model":"a","stream":true,"stream_options":null,"stream_options":{}})",
         R"({"model":"b","stream":true,"stream_options":null,"stream_options":{}})"},
        {R"({"model":"a","stream":false})", R"({"model":"b","stream":false})"},
        {R"({"model":"a"})", R"({"model":"b"})"},
    };
    const Transcoder transcoder("openai-chat");
    for (const Row& row : rows) {
        EXPECT_EQ(transcoder.rewritten(row.body, "b", true), row.expected);
        Capture out;
        EXPECT_EQ(transcoder.facts(row.expected, out).status, WM_OK) << "no longer a request: " << row.expected;
    }
    EXPECT_EQ(transcoder.rewritten(rows[0].body, "b", false), R"({"model":"b","stream":true})");
}

TEST(Rewrite, TakesMarkedThinkingOutOfMessages) {
    const std::string mark = R"({"type":"thinking","thinking":"hm","signature":"wm1.none."})",
                      carried = R"({"signature":"wm1.openai-responses+opaque.Z0FB","thinking":"","type":"thinking"})",
                      broken = R"({"type":"thinking","thinking":"","signature":"wm1.?"})",
                      sealed = R"({"type":"redacted_thinking","data":"wm1.x"})",
                      real = R"({"type":"thinking","thinking":"a wm1. in words","signature":"c2ln"})",
                      use = R"({"type":"tool_use","id":"t","name":"f","input":{"signature":"wm1.none."}})";
    const auto assistant = [](const std::string& content) {
        return R"({"role":"assistant","content":)" + content + "}";
    };
    const std::string user = R"({"role":"user","content":"wm1.none."})";
    const auto body = [&](const std::string& model, const std::string& messages) {
        return R"({"messages": [ )" + messages + R"( ],"model":")" + model + R"(","max_tokens":1e3})";
    };
    const Transcoder transcoder("anthropic-messages");
    const struct {
        std::string messages, left;
    } rows[] = {
        // some of a message, wherever it stands
        {user + " , " + assistant("[ " + mark + " , " + use + " ]"), user + " , " + assistant("[ " + use + " ]")},
        {user + "," + assistant("[" + use + " , " + mark + "]"), user + "," + assistant("[" + use + "]")},
        {user + "," + assistant("[" + use + ", " + mark + " ,\n" + use + "]"),
         user + "," + assistant("[" + use + " ,\n" + use + "]")},
        {assistant("[" + carried + "," + broken + "," + sealed + "," + real + "," + mark + "]"),
         assistant("[" + real + "]")},
        // all of it: the message goes too
        {user + ", " + assistant("[" + mark + "]") + " , " + user, user + " , " + user},
        {user + ", " + assistant("[" + mark + "," + broken + "]"), user},
        {assistant("[" + mark + "]") + " , " + user, user},
        // nothing of it
        {user + "," + assistant("\"wm1.none.\""), user + "," + assistant("\"wm1.none.\"")},
        {assistant("[" + use + "]") + "," + assistant("[]"), assistant("[" + use + "]") + "," + assistant("[]")},
        {R"({"role":"user","content":[)" + mark + "]}", R"({"role":"user","content":[)" + mark + "]}"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(transcoder.rewritten(body("a", row.messages), "b", false), body("b", row.left)) << row.messages;
    EXPECT_EQ(transcoder.rewritten(R"({"model":"a","wm1.":1,"messages":"no list"})", "b", false),
              R"({"model":"b","wm1.":1,"messages":"no list"})");
}

// A provider refuses thinking with a budget where the last turn has a call and no thinking before it.
TEST(Rewrite, AsksForNoBudgetWhereItsToolLoopHasLostItsThinking) {
    const std::string mark = R"({"type":"thinking","thinking":"hm","signature":"wm1.none."})",
                      real = R"({"type":"thinking","thinking":"","signature":"c2ln"})",
                      use = R"({"type":"tool_use","id":"t","name":"f","input":{}})",
                      text = R"({"type":"text","text":"x"})",
                      result = R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]})";
    const auto assistant = [](const std::string& content) {
        return R"({"role":"assistant","content":[)" + content + "]}";
    };
    const auto thinking = [&](const std::string& type, const std::string& messages) {
        const std::string asked = R"({"model":"a","thinking":)" + type + R"(,"messages":[)" + messages + "]}";
        const std::string sent = Transcoder("anthropic-messages").rewritten(asked, "b", false);
        const auto from = sent.find("\"thinking\":") + 11;
        return sent.substr(from, sent.find(",\"messages\"") - from);
    };
    const std::string enabled = R"({"type":"enabled","budget_tokens":2000})", disabled = R"({"type":"disabled"})";
    EXPECT_EQ(thinking(enabled, assistant(mark + "," + use) + "," + result), disabled);
    EXPECT_EQ(thinking(enabled, assistant(mark) + "," + assistant(use) + "," + result), disabled);
    EXPECT_EQ(thinking(enabled, assistant(mark + "," + use) + "," + result + "," + assistant(mark) + "," + result),
              disabled);
    const std::string adaptive = R"({"type":"adaptive"})";
    EXPECT_EQ(thinking(adaptive, assistant(mark + "," + use) + "," + result), adaptive);
    for (const std::string& kept : {assistant(mark + "," + real + "," + use), assistant(mark + "," + text),
                                    assistant(mark + "," + use) + "," + result + "," + assistant(real + "," + use),
                                    assistant(mark + "," + text) + "," + result + "," + assistant(use)})
        EXPECT_EQ(thinking(enabled, kept + "," + result), enabled) << kept;
}

TEST(Rewrite, TakesMarkedReasoningOutOfResponses) {
    const std::string user = R"({"role":"user","content":"wm1.none."})",
                      real = R"({"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA wm1."})",
                      none = R"({"type":"reasoning","id":"rs_x_0","summary":[],"encrypted_content":"wm1.none."})",
                      broken = R"({"encrypted_content":"wm1.","type":"reasoning","id":"rs_x_0"})",
                      call = R"({"type":"function_call","call_id":"c","name":"f","arguments":"{}"})";
    const auto body = [&](const std::string& model, const std::string& input) {
        return R"({ "model" : ")" + model + R"(" , "input":[)" + input + R"( ],"store":false})";
    };
    const Transcoder transcoder("openai-responses");
    const struct {
        std::string input, left;
    } rows[] = {
        {user + ", " + none + " , " + call, user + " , " + call},
        {none + "," + user + "," + broken + "," + real + "," + none, user + "," + real},
        {none + "," + none, ""},
        {user, user},
        {real + "," + call, real + "," + call},
    };
    for (const auto& row : rows)
        EXPECT_EQ(transcoder.rewritten(body("a", row.input), "b", false), body("b", row.left)) << row.input;
    EXPECT_EQ(transcoder.rewritten(R"({"model":"a","input":"wm1.none."})", "b", false),
              R"({"model":"b","input":"wm1.none."})");
}

} // namespace
