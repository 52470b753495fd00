#include <watermaster/json_scan.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace wm::sdk::json;

bool valid(std::string_view text) {
    Scan scan(text);
    scan.value();
    return scan.finish();
}

TEST(Scan, TakesEveryValidShape) {
    for (const char* text : {"null",
                             "true",
                             "false",
                             "0",
                             "-0",
                             "10",
                             "-1.5e+10",
                             "1E5",
                             "0.0",
                             "\"\"",
                             "\"a\\\"b\"",
                             "\"\\u00e9\\n\\/\"",
                             "[]",
                             "[ ]",
                             "{}",
                             "{ }",
                             "[1]",
                             "[1,2]",
                             "[[],{}]",
                             "{\"a\":1}",
                             "{\"a\":{\"b\":[1,{\"c\":null}]},\"d\":2}",
                             " \t\r\n{ \"a\" : [ 1 , 2 ] } \n",
                             "{\"\":0}",
                             "\"\xE5\x8C\x97\"",
                             "\"\\ud800\"",
                             "{\"a\":1,\"a\":2}"})
        EXPECT_TRUE(valid(text)) << text;
}

TEST(Scan, RefusesEverythingElse) {
    for (const char* text : {"",
                             " ",
                             "nul",
                             "tru",
                             "falsy",
                             "nulls",
                             "01",
                             "-",
                             "+1",
                             ".5",
                             "1.",
                             "1.e5",
                             "1e",
                             "1e+",
                             "0x1",
                             "--1",
                             "NaN",
                             "Infinity",
                             "\"",
                             "\"a",
                             "\"\\\"",
                             "\"\\x\"",
                             "\"\\u12\"",
                             "\"\\u12g4\"",
                             "\"\t\"",
                             "\"\n\"",
                             "'a'",
                             "[",
                             "]",
                             "[1",
                             "[1,",
                             "[1,]",
                             "[,1]",
                             "[1 2]",
                             "[1}",
                             "{",
                             "}",
                             "{\"a\"",
                             "{\"a\":",
                             "{\"a\":1",
                             "{\"a\":1,",
                             "{\"a\":1,}",
                             "{a:1}",
                             "{1:1}",
                             "{\"a\" 1}",
                             "{\"a\":1]",
                             "{\"a\":1 \"b\":2}",
                             "{,}",
                             "1 2",
                             "{}{}",
                             "[]x",
                             "/**/1",
                             "\xEF\xBB\xBF{}",
                             "{\"a\":}"})
        EXPECT_FALSE(valid(text)) << text;
    EXPECT_FALSE(valid(std::string_view("1\0", 2)));
    EXPECT_FALSE(valid(std::string_view("\0", 1)));
    EXPECT_FALSE(valid(std::string_view("\"a\0b\"", 5)));
}

// Wherever in a block the end of a string lies.
TEST(Scan, FindsStringEndsAtEveryOffset) {
    for (std::size_t length = 0; length < 70; ++length) {
        const std::string body(length, 'x');
        EXPECT_TRUE(valid("\"" + body + "\""));
        EXPECT_FALSE(valid("\"" + body));
        EXPECT_TRUE(valid("\"" + body + "\\\"" + body + "\""));
        EXPECT_FALSE(valid("\"" + body + "\x1f" + body + "\""));
        EXPECT_TRUE(valid("\"" + body + "\x7f\x80\xff" + body + "\""));
        Scan scan("[\"" + body + "\",1]");
    }
}

TEST(Scan, BoundsDepthHoweverItIsWalked) {
    const std::string fits = std::string(max_depth, '[') + std::string(max_depth, ']');
    const std::string deep = "[" + fits + "]";
    EXPECT_TRUE(valid(fits));
    Scan scan(deep);
    scan.value();
    EXPECT_EQ(scan.fault(), Fault::depth);

    Scan inner(deep); // one level by the caller, the rest skipped
    inner.elements([&] { inner.value(); });
    EXPECT_EQ(inner.fault(), Fault::depth);

    for (const char* open : {"[", "{\"a\":", "[{\"\":"}) {
        std::string endless;
        for (int i = 0; i < 1 << 20; ++i) endless += open;
        EXPECT_FALSE(valid(endless));
    }
}

TEST(Scan, WalksMembersAndLeavesTheRestToBeSkipped) {
    Scan scan(R"( {"a":[1,2],"b" : {"c":"x"}, "\u0064":true,"e":null} )");
    std::string seen;
    EXPECT_TRUE(scan.members([&](const Name& name) {
        seen += std::string(name.body) + (name.is("d") ? "(d)" : "") + ";";
        if (name.is("b"))
            scan.members([&](const Name& inner) {
                EXPECT_TRUE(inner.is("c"));
                EXPECT_EQ(scan.value().raw, "\"x\"");
            });
    }));
    EXPECT_TRUE(scan.finish());
    EXPECT_EQ(seen, "a;b;\\u0064(d);e;");
}

TEST(Scan, KeepsNoneAfterAFault) {
    Scan scan("{\"a\":[1,}");
    int calls = 0;
    Value value;
    EXPECT_FALSE(scan.members([&](const Name&) {
        ++calls;
        value = scan.value();
        EXPECT_EQ(scan.kind(), Kind::none);
        EXPECT_FALSE(scan.value().there());
        EXPECT_FALSE(scan.members([](const Name&) {}));
        EXPECT_FALSE(scan.elements([] {}));
    }));
    EXPECT_EQ(calls, 1);
    EXPECT_FALSE(value.there());
    EXPECT_FALSE(scan.finish());
    EXPECT_EQ(scan.offset(), 8u);
}

TEST(Scan, MembersOfNoObjectAreAFault) {
    Scan array("[1]"), object("{\"a\":1}");
    EXPECT_FALSE(array.members([](const Name&) { FAIL(); }));
    EXPECT_FALSE(object.elements([] { FAIL(); }));
}

TEST(Value, KnowsWhatItIs) {
    const auto of = [](std::string_view text) { return Scan(text).value(); };
    for (const char* empty : {"null", "\"\"", "[]", "{}", "[ \n]", "{\t}"}) EXPECT_TRUE(of(empty).empty()) << empty;
    for (const char* full : {"0", "false", "\" \"", "[0]", "{\"\":null}"}) EXPECT_FALSE(of(full).empty()) << full;
    EXPECT_TRUE(Value{}.empty());
    EXPECT_TRUE(of("true").is_true());
    EXPECT_FALSE(of("\"true\"").is_true());
    EXPECT_TRUE(of("\"st\\u006fp\"").says("stop"));
    EXPECT_FALSE(of("stop").says("stop"));
    EXPECT_EQ(of("42").count(), 42u);
    EXPECT_EQ(of("9999999999999999999").count(), 9999999999999999999u);
    for (const char* none : {"-1", "1.0", "1e3", "99999999999999999999", "\"1\"", "null"})
        EXPECT_FALSE(of(none).count()) << none;
}

TEST(Member, TakesTheFirstOfThatName) {
    EXPECT_EQ(member(R"({"x":1,"a":2,"a":3})", "a").raw, "2");
    EXPECT_FALSE(member(R"({"x":1})", "a").there());
    EXPECT_FALSE(member("[1]", "a").there());
}

} // namespace
