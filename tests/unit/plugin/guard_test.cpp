#include "plugin/guard.h"

#include <gtest/gtest.h>

namespace wm::plugin {
namespace {

const std::vector<std::string> members = {"models", "route", "fallbacks", "kinds"};

std::string found(std::string_view body) { return find_guarded(body, members).value_or("-"); }

TEST(FindGuarded, FindsEverySpellingThatSomeParserTakes) {
    EXPECT_EQ(found(R"({"model":"m","models":["a"]})"), "models");
    EXPECT_EQ(found(R"({"MODELS":["a"]})"), "models");
    EXPECT_EQ(found(R"({"\u006dodels":["a"]})"), "models");
    EXPECT_EQ(found("{\"model\xc5\xbf\":1}"), "models"); // U+017F folds to s
    EXPECT_EQ(found(R"({"model\u017f":1})"), "models");
    EXPECT_EQ(found("{\"\xe2\x84\xaainds\":1}"), "kinds"); // U+212A folds to k
    EXPECT_EQ(found(R"({"a":1,"route":null})"), "route");
}

TEST(FindGuarded, LooksAtTheTopLevelOnly) {
    EXPECT_EQ(found(R"({"model":"m","metadata":{"models":1},"x":["route"],"y":"fallbacks"})"), "-");
    EXPECT_EQ(found(R"({"models2":1,"odels":1})"), "-");
    EXPECT_EQ(found(R"(["models"])"), "-");
    EXPECT_EQ(found(""), "-");
}

TEST(FindGuarded, TrustsNoObjectThatItCannotReadToItsEnd) {
    EXPECT_EQ(found("{\"a\":" + std::string(1 << 20, '[')), "models");
    const std::string deep = std::string(200, '[') + std::string(200, ']'); // too deep here, fine elsewhere
    EXPECT_EQ(found("{\"a\":" + deep + ",\"route\":1}"), "models");
    EXPECT_EQ(found(R"({"a":1,/**/"route":1})"), "models");
    EXPECT_EQ(found(R"({"a":1}{"route":1})"), "models");
    EXPECT_EQ(find_guarded("{", {}), std::nullopt);
}

bool allowed(std::string_view url, std::string_view configured) {
    AdapterFacts facts;
    facts.endpoint = "url";
    return authority_allowed(url, facts, configured);
}

TEST(AuthorityAllowed, KeepsTheConfiguredOrigin) {
    constexpr std::string_view base = "https://api.example.com/v1";
    EXPECT_TRUE(allowed("https://api.example.com/v1/chat", base));
    EXPECT_TRUE(allowed("https://API.example.com:443/other?x=1", base));
    EXPECT_TRUE(allowed("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080"));
    EXPECT_FALSE(allowed("http://api.example.com/v1", base));
    EXPECT_FALSE(allowed("https://api.example.com:8443/v1", base));
    EXPECT_FALSE(allowed("https://api.example.com.evil.test/v1", base));
    EXPECT_FALSE(allowed("https://evil.test/api.example.com", base));
    EXPECT_FALSE(allowed("https://api.example.com@evil.test/", base));
    EXPECT_FALSE(allowed("https://user@api.example.com/", base));
    EXPECT_FALSE(allowed("https://api.example.com\\@evil.test/", base));
    EXPECT_FALSE(allowed("https://api.example.com /", base));
    EXPECT_FALSE(allowed("https:///v1", base));
    EXPECT_FALSE(allowed("file://api.example.com/v1", base));
    EXPECT_FALSE(allowed("https://evil.test?https://api.example.com/", base));
    EXPECT_FALSE(allowed("https://evil.test#https://api.example.com/", base));
    EXPECT_FALSE(allowed("", ""));
}

TEST(AuthorityAllowed, KeepsTheHostsOfAnAdapterWithItsOwnEndpoint) {
    AdapterFacts facts;
    facts.endpoint = "own";
    facts.hosts = {"api.example.com", "eu.example.com"};
    EXPECT_TRUE(authority_allowed("https://eu.example.com/v1", facts, ""));
    EXPECT_FALSE(authority_allowed("http://eu.example.com/v1", facts, ""));
    EXPECT_FALSE(authority_allowed("https://us.example.com/v1", facts, "https://us.example.com"));
}

} // namespace
} // namespace wm::plugin
