#include <watermaster/url.hpp>

#include <gtest/gtest.h>

namespace {

using namespace wm::sdk;

// Every base with every operation: one well-formed URL, whatever the base ends in.
TEST(JoinUrl, EveryBaseWithEveryOperation) {
    const std::pair<const char*, const char*> bases[] = {
        {"http://up:9000", "http://up:9000/v1"},
        {"http://up:9000/", "http://up:9000/v1"},
        {"http://up:9000/v1", "http://up:9000/v1"},
        {"http://up:9000/v1/", "http://up:9000/v1"},
        {"http://up:9000/team/a/v1/", "http://up:9000/team/a/v1"},
        {"http://up:9000/team/a", "http://up:9000/team/a/v1"},
        {"http://up:9000//team//v1//", "http://up:9000/team/v1"},
        {"https://up/openai/v12", "https://up/openai/v12/v1"}, // another segment
        {"https://up/xv1", "https://up/xv1/v1"},
        {"https://v1", "https://v1/v1"}, // a host is not a path
        {"http://[::1]:9000/v1", "http://[::1]:9000/v1"},
    };
    for (const auto& [base, root] : bases)
        for (const char* operation :
             {"/chat/completions", "/responses", "/messages", "/messages/count_tokens", "/models", "/arbitrary/path"})
            EXPECT_EQ(join_url(base, std::string("/v1") + operation), std::string(root) + operation) << base;
}

TEST(JoinUrl, NeverDoublesASlash) {
    EXPECT_EQ(join_url("http://up/", "/v1//models"), "http://up/v1/models");
    EXPECT_EQ(join_url("", "/v1//models"), "/v1/models");
    EXPECT_EQ(join_url("http://up/v1", "/v1"), "http://up/v1");
    EXPECT_EQ(join_url("http://up", "/"), "http://up/");
}

TEST(UrlProblem, NamesWhatIsWrong) {
    for (const char* good : {"http://up", "https://up:8443/a/b?c=d", "http://[::1]/"})
        EXPECT_EQ(url_problem(good, false), "") << good;
    for (const char* bad : {"", "up:9000", "//up", "HTTP//up", "http://", "http:///x", "http://:9/", "http://a@b/",
                            "http://up/#f", "http://up/\n", "http://\xC3\xBC/"})
        EXPECT_NE(url_problem(bad, false), "") << bad;
    EXPECT_NE(url_problem("http://up?a=b", true), "");
}

TEST(EncodeSegment, LetsNothingOut) {
    EXPECT_EQ(encode_segment("gpt-4.1_mini~x"), "gpt-4.1_mini~x");
    EXPECT_EQ(encode_segment("../../etc"), "..%2F..%2Fetc");
    EXPECT_EQ(encode_segment(".."), "%2E%2E");
    EXPECT_EQ(encode_segment("."), "%2E");
    EXPECT_EQ(encode_segment("a@b:c?d#e%f g\\"), "a%40b%3Ac%3Fd%23e%25f%20g%5C");
    EXPECT_EQ(encode_segment(std::string_view("\0\n\xC3\xA9", 4)), "%00%0A%C3%A9");
    EXPECT_EQ(encode_segment(""), "");
}

} // namespace
