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

} // namespace
