#include "explain/question.h"

#include <gtest/gtest.h>

using namespace wm::explain;

namespace {

std::string head_of(std::string_view json) {
    const auto question = read_question(json);
    return question ? question->head : "!" + question.error();
}

TEST(Question, BecomesTheRequestThatWouldBeSent) {
    const auto question =
        read_question(R"({"path":"/v1/x?a=b","headers":{"X-Api-Key":"k","Accept":["a","b"],"host":"h:1"},
        "body":{"model":"m",  "model":"n\u00e9"},"client":"alice"})");
    ASSERT_TRUE(question) << question.error();
    EXPECT_EQ(question->head, "POST /v1/x?a=b HTTP/1.1\r\nX-Api-Key: k\r\nAccept: a\r\nAccept: b\r\nhost: h:1\r\n"
                              "Content-Length: 33\r\n\r\n");
    EXPECT_EQ(question->body, R"({"model":"m",  "model":"n\u00e9"})"); // byte for byte: a member given twice stays so
    EXPECT_EQ(question->client, "alice");
}

TEST(Question, ABodyMayBeAnyText) {
    const auto question = read_question(R"({"method":"PUT","path":"/","body":"{\"model\":"})");
    ASSERT_TRUE(question) << question.error();
    EXPECT_EQ(question->body, "{\"model\":");
    EXPECT_EQ(question->head, "PUT / HTTP/1.1\r\nHost: explain\r\nContent-Length: 9\r\n\r\n");
}

TEST(Question, FramingIsNotTheirs) {
    EXPECT_EQ(
        head_of(
            R"({"path":"/","headers":{"Content-Length":"7","transfer-encoding":"chunked","Expect":"100-continue"}})"),
        "POST / HTTP/1.1\r\nHost: explain\r\nContent-Length: 0\r\n\r\n");
}

TEST(Question, SaysWhatIsWrongAndRepeatsNoValue) {
    const std::pair<const char*, const char*> rows[] = {
        {"", "!not a JSON object"},
        {"[]", "!not a JSON object"},
        {R"({"path":"/")", "!not valid JSON at byte 11"},
        {"{}", "!'path' is missing or wrong"},
        {R"({"path":"v1"})", "!'path' is missing or wrong"},
        {R"({"path":"/x y"})", "!'path' is missing or wrong"},
        {R"({"path":"/\r\nX: canary"})", "!'path' is missing or wrong"},
        {R"({"path":"/","method":"G T"})", "!'method' is missing or wrong"},
        {R"({"path":"/","method":7})", "!'method' is missing or wrong"},
        {R"({"path":"/","headers":["canary"]})", "!'headers' is missing or wrong"},
        {R"({"path":"/","headers":{"x":7}})", "!'headers' is missing or wrong"},
        {R"({"path":"/","headers":{"x":"canary\r\ny: z"}})", "!'headers' is missing or wrong"},
        {R"({"path":"/","headers":{"x y":"canary"}})", "!'headers' is missing or wrong"},
        {R"({"path":"/","headrs":{}})", "!unknown member 'headrs'; put the request under \"body\"; expected {"},
        {R"({"model":"canary"})", "!unknown member 'model'; put the request under \"body\"; expected {"},
        {R"({"path":"/","body":{},"modle":"canary"})", "!unknown member 'modle'; expected {"},
        {R"({"path":"/","client":7})", "!'client' is missing or wrong"},
    };
    for (const auto& [json, expected] : rows) {
        const auto said = head_of(json);
        EXPECT_TRUE(said.starts_with(expected)) << json << "\n" << said;
        EXPECT_EQ(said.find("canary"), std::string::npos) << said;
    }
}

} // namespace
