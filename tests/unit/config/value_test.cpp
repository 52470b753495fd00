#include "config/address.h"
#include "config/suggest.h"
#include "config/value.h"

#include <gtest/gtest.h>

using namespace wm::config;
using wm::Millis;

namespace {
template <class T>
std::string complaint(const Value<T>& value) {
    return value ? "" : value.error().problem + "|" + value.error().expected;
}
} // namespace

TEST(Value, durations) {
    for (const auto& [text, ms] :
         {std::pair("1ms", 1), {"200ms", 200}, {"30s", 30'000}, {"5m", 300'000}, {"2h", 7'200'000}})
        EXPECT_EQ(*parse_duration(text), Millis(ms)) << text;
    EXPECT_EQ(complaint(parse_duration("5000")),
              "a duration without a unit|a unit after the number, as in 200ms, 30s, 5m or 1h");
    for (const auto* text : {"", "s", "-5s", "+5s", "1.5s", "5 s", "5S", "5sec", "5d", "1h30m", "5000000000000000000h",
                             "99999999999999999999s"})
        EXPECT_EQ(complaint(parse_duration(text)).rfind("not a duration|", 0), 0u) << text;
    EXPECT_EQ(complaint(parse_duration("0s")), "out of range|a duration from 1ms to 8760h");
    EXPECT_EQ(complaint(parse_duration("8761h")), "out of range|a duration from 1ms to 8760h");
    EXPECT_EQ(*parse_duration("0s", Millis(0)), Millis(0));
}

TEST(Value, durations_and_sizes_are_said_as_they_are_read) {
    EXPECT_EQ(to_text(Millis(0)), "0ms");
    EXPECT_EQ(to_text(Millis(90'000)), "90s");
    EXPECT_EQ(to_text(Millis(7'200'000)), "2h");
    EXPECT_EQ(size_text(32u << 20), "32MiB");
    EXPECT_EQ(size_text(1000), "1000B");
}

TEST(Value, sizes) {
    for (const auto& [text, bytes] :
         {std::pair("1B", 1u), {"64KiB", 65'536u}, {"32MiB", 33'554'432u}, {"1GiB", 1u << 30}})
        EXPECT_EQ(*parse_size(text, 1, 1u << 30), bytes) << text;
    EXPECT_EQ(complaint(parse_size("33554432", 1, 9)).rfind("a size without a unit|", 0), 0u);
    for (const auto* text : {"", "MiB", "32MB", "32M", "32 MiB", "-1B", "99999999999GiB"})
        EXPECT_EQ(complaint(parse_size(text, 1, 9)).rfind("not a size|", 0), 0u) << text;
    EXPECT_EQ(complaint(parse_size("10B", 1, 9)), "out of range|a size from 1B to 9B");
}

TEST(Value, bools_integers_and_words) {
    for (const auto* text : {"yes", "true", "on"}) EXPECT_TRUE(*parse_bool(text));
    for (const auto* text : {"no", "false", "off"}) EXPECT_FALSE(*parse_bool(text));
    for (const auto* text : {"", "Yes", "1", "0", "\"true\"", "y"}) EXPECT_FALSE(parse_bool(text)) << text;
    EXPECT_EQ(*parse_integer("7", 1, 9), 7u);
    EXPECT_EQ(complaint(parse_integer("0", 1, 9)), "out of range|a whole number from 1 to 9");
    for (const auto* text : {"-1", "99999999999999999999"})
        EXPECT_EQ(complaint(parse_integer(text, 1, 9)), "out of range|a whole number from 1 to 9") << text;
    for (const auto* text : {"", "-", "--1", "\"3\"", "3.0", "0x3", " 3"})
        EXPECT_EQ(complaint(parse_integer(text, 1, 9)), "not a whole number|a whole number from 1 to 9") << text;
    EXPECT_EQ(*parse_script_name("prompt-prefix-affinity"), "prompt_prefix_affinity");
    for (const auto* text : {"", "../x", "a/b", "A", "a.lua"}) EXPECT_FALSE(parse_script_name(text)) << text;
}

TEST(Value, listen_addresses) {
    for (const auto& [text, loopback] : {std::pair("127.0.0.1:8080", true),
                                         {"127.9.9.9:0", true},
                                         {"[::1]:80", true},
                                         {"[::ffff:127.0.0.1]:80", true},
                                         {"0.0.0.0:80", false},
                                         {"[::]:80", false},
                                         {"10.0.0.1:80", false}}) {
        const auto address = parse_listen(text);
        ASSERT_TRUE(address) << text;
        EXPECT_EQ(address->loopback, loopback) << text;
    }
    EXPECT_EQ(parse_listen("[::1]:80")->host, "::1");
    for (const auto* text : {"", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:80", "[::1]",
                             "example.com:80", "127.0.0.1:-1"})
        EXPECT_FALSE(parse_listen(text)) << text;
    EXPECT_EQ(parse_listen(":8080").error().expected,
              "0.0.0.0:8080 for every interface, 127.0.0.1:8080 for this machine");
}

TEST(Value, urls) {
    for (const auto* text :
         {"http://up:9000", "http://up:9000/", "https://a.b-c.example/team/a/v1/", "http://[::1]:9/x", "https://up"})
        EXPECT_EQ(*parse_url(text, UrlUse::base), text);
    EXPECT_EQ(*parse_url("https://up/a?api-version=1", UrlUse::complete), "https://up/a?api-version=1");
    EXPECT_EQ(complaint(parse_url("up:9000", UrlUse::base)),
              "a URL without a scheme|https://up:9000 or http://up:9000");
    for (const auto* text :
         {"", "ftp://up", "http://", "http:///x", "http://up:0", "http://up:99999", "http://up:", "http://a b",
          "http://up/#x", "http://[::1", "http://[x]/", "http://\xc3\xbcp/", "http://u:p@up/", "http://up/?k=v"})
        EXPECT_FALSE(parse_url(text, UrlUse::base)) << text;
    for (const auto* text : {"https://user:canary@up/", "user:canary@up", "up/?key=canary", "https://up/?key=canary"}) {
        const auto value = parse_url(text, UrlUse::base);
        ASSERT_FALSE(value) << text;
        EXPECT_FALSE(value.error().show_value) << text;
        EXPECT_EQ(complaint(value).find("canary"), std::string::npos) << text;
    }
}

TEST(Value, suggestions) {
    const std::string_view known[] = {"listen", "loops", "log"};
    EXPECT_EQ(did_you_mean("lisetn", known), "; did you mean listen?");
    EXPECT_EQ(did_you_mean("loop", known), "; did you mean loops?");
    EXPECT_EQ(did_you_mean("certificate", known), "");
    EXPECT_EQ(nearest("", known), "");
    EXPECT_EQ(joined({}), "none");
}
