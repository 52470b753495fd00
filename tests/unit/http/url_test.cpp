#include "http/url.h"

#include <gtest/gtest.h>

namespace wm::http {
namespace {

TEST(Url, GivesOriginAndTarget) {
    struct Row {
        const char *text, *host, *target, *authority;
        bool tls;
        int port;
    };
    const Row table[] = {
        {"http://a.example", "a.example", "/", "a.example", false, 80},
        {"HTTPS://A.Example/V1?x=1", "a.example", "/V1?x=1", "a.example", true, 443},
        {"https://a:8443/b/", "a", "/b/", "a:8443", true, 8443},
        {"http://a:443/", "a", "/", "a:443", false, 443},
        {"https://a?q", "a", "/?q", "a", true, 443},
        {"http://127.0.0.1:9/x", "127.0.0.1", "/x", "127.0.0.1:9", false, 9},
        {"http://1.example/", "1.example", "/", "1.example", false, 80},
        {"http://a.1x./", "a.1x.", "/", "a.1x.", false, 80},
        {"http://0xg/", "0xg", "/", "0xg", false, 80},
        {"http://[::1]:9/x", "::1", "/x", "[::1]:9", false, 9},
        {"https://[2001:DB8::1]", "2001:db8::1", "/", "[2001:db8::1]", true, 443},
        {"http://a/next?u=http://b/", "a", "/next?u=http://b/", "a", false, 80},
    };
    for (const auto& row : table) {
        const auto url = parse_url(row.text);
        ASSERT_TRUE(url) << row.text << ": " << url.error();
        EXPECT_EQ(url->origin.tls, row.tls) << row.text;
        EXPECT_EQ(url->origin.host, row.host) << row.text;
        EXPECT_EQ(url->origin.port, row.port) << row.text;
        EXPECT_EQ(url->target, row.target) << row.text;
        EXPECT_EQ(url->origin.authority(), row.authority) << row.text;
        EXPECT_TRUE(url->origin.verify) << row.text;
    }
}

TEST(Url, SaysWhatIsWrong) {
    struct Row {
        const char *text, *says;
    };
    const Row table[] = {
        {"api.example.com/v1", "did you mean https://api.example.com/v1?"},
        {"localhost:8080/v1", "did you mean http://localhost:8080/v1?"},
        {"[::1]:80", "did you mean http://[::1]:80?"},
        {"/v1", "no scheme"},
        {"", "no scheme"},
        {"a/b?u=http://c", "did you mean https://a/b?u=http://c?"},
        {"ftp://a", "must be http or https"},
        {"http://user:secret@a/", "user or password"},
        {"http:///x", "host is malformed"},
        {"http://a b/", "host is malformed"},
        {"http://a:0/", "host is malformed"},
        {"http://a:99999/", "host is malformed"},
        {"http://a:/", "host is malformed"},
        {"http://::1/", "host is malformed"},
        {"http://[::1/", "host is malformed"},
        {"http://[::g]/", "host is malformed"},
        {"http://[::1]x/", "host is malformed"},
        {"https://127.1/", "ends in a number"},
        {"https://2130706433/", "ends in a number"},
        {"https://0x7f.1/", "ends in a number"},
        {"https://0X7F000001/", "ends in a number"},
        {"https://a.0x/", "ends in a number"},
        {"https://127.0.0.01/", "ends in a number"},
        {"https://127.0.0.256/", "ends in a number"},
        {"https://127.0.0.1./", "ends in a number"},
        {"https://a.example.5/", "ends in a number"},
        {"http://a/#f", "fragment"},
        {"http://a/b c", "percent-encoded"},
        {"http://a/\xc3\xa4", "percent-encoded"},
    };
    for (const auto& [text, says] : table) {
        const auto url = parse_url(text);
        ASSERT_FALSE(url) << text;
        EXPECT_NE(url.error().find(says), std::string::npos) << text << ": " << url.error();
    }
    EXPECT_EQ(parse_url("user:secret@a/").error().find("secret"), std::string::npos);
    EXPECT_EQ(parse_url("http://user:secret@a/").error().find("secret"), std::string::npos);
}

TEST(Url, OriginsThatDifferShareNothing) {
    const Origin origin{true, "a", 443, true, "/ca"};
    for (const auto& other :
         {Origin{false, "a", 443, true, "/ca"}, Origin{true, "b", 443, true, "/ca"},
          Origin{true, "a", 444, true, "/ca"}, Origin{true, "a", 443, false, "/ca"}, Origin{true, "a", 443, true, ""}})
        EXPECT_FALSE(origin == other);
    EXPECT_EQ(OriginHash()(origin), OriginHash()(Origin(origin)));
}

TEST(Percent, DecodesAndEncodes) {
    EXPECT_EQ(percent_decode("a%20b%2Fc+%e4"), "a b/c+\xe4");
    EXPECT_EQ(percent_decode(""), "");
    for (const auto bad : {"%", "%2", "a%", "%g0", "%0g", "%%20"}) EXPECT_FALSE(percent_decode(bad)) << bad;
    std::string every, encoded;
    for (int c = 0; c < 256; ++c) every += char(c);
    percent_encode(encoded, every);
    EXPECT_EQ(percent_decode(encoded), every);
    encoded.clear();
    percent_encode(encoded, "Az9-._~ /%");
    EXPECT_EQ(encoded, "Az9-._~%20%2F%25");
}

TEST(Query, SplitsAndRemovesMembers) {
    const auto members = split_query("a=1&b&&=x&c=d=e&a=%32");
    const std::vector<std::pair<std::string, std::string>> expected{
        {"a", "1"}, {"b", ""}, {"", "x"}, {"c", "d=e"}, {"a", "%32"}};
    ASSERT_EQ(members.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(members[i].name, expected[i].first);
        EXPECT_EQ(members[i].value, expected[i].second);
    }
    const auto key = [](std::string_view name, PairView) { return name == "key" || name == "x y"; };
    struct Row {
        const char *query, *left;
    };
    const Row table[] = {
        {"", ""},
        {"key=s", ""},
        {"a=1&key=s&b=%20+", "a=1&b=%20+"},
        {"key&a&key=2", "a"},
        {"%6bey=s&a", "a"},
        {"x%20y=1&xy=2", "xy=2"},
        {"Key=1&keys=2&k=key", "Key=1&keys=2&k=key"},
        {"%zz=1&key=2", "%zz=1"},
    };
    for (const auto& [query, left] : table) EXPECT_EQ(query_without(query, key), left) << query;
}

} // namespace
} // namespace wm::http
