#include "base/json_writer.h"

#include <gtest/gtest.h>

using namespace wm;

namespace {

std::string quoted(std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
}

TEST(JsonString, EscapesWhatMustBe) {
    EXPECT_EQ(quoted("plain"), R"("plain")");
    EXPECT_EQ(quoted("a\"b\\c\n\x01"), R"("a\"b\\c\u000a\u0001")");
    EXPECT_EQ(quoted(std::string_view("\0x", 2)), R"("\u0000x")");
    EXPECT_EQ(quoted(""), R"("")");
}

TEST(JsonString, KeepsValidUtf8AndReplacesTheRest) {
    EXPECT_EQ(quoted("\xc3\xa9\xe5\x8c\x97\xf0\x9f\x99\x82"), "\"\xc3\xa9\xe5\x8c\x97\xf0\x9f\x99\x82\"");
    for (const auto* bad : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe5\x8c", "\x80"})
        EXPECT_NE(quoted(bad).find("\xef\xbf\xbd"), std::string::npos) << bad;
    EXPECT_EQ(quoted("a\xff"
                     "b"),
              "\"a\xef\xbf\xbd"
              "b\"");
}

// Text is looked at in steps and copied in two ways, by its length: a byte means the same wherever it stands.
TEST(JsonString, EachByteAtEachPlace) {
    for (const std::size_t size : {1u, 7u, 8u, 9u, 20u, 61u, 62u, 63u, 70u})
        for (std::size_t at = 0; at < size; ++at)
            for (unsigned byte = 0; byte < 256; ++byte) {
                std::string text(size, '~');
                text[at] = char(byte);
                const auto alone = quoted(std::string_view(&text[at], 1));
                const auto expected = '"' + std::string(at, '~') + alone.substr(1, alone.size() - 2) +
                                      std::string(size - at - 1, '~') + '"';
                ASSERT_EQ((quoted)(text), expected) << byte << " at " << at << " of " << size;
            }
}

TEST(JsonWriter, PutsCommasWhereTheyBelong) {
    std::string out;
    JsonWriter w(out);
    w.open('{').key("a").open('[').number(1).number(-2).close(']').key("b").boolean(false).key("c").null();
    w.key("d").open('{').close('}').key("e").text("x").close('}');
    EXPECT_EQ(out, R"({"a":[1,-2],"b":false,"c":null,"d":{},"e":"x"})");
    const std::string name = "later";
    out.clear();
    JsonWriter again(out);
    again.open('{').key(name).null().key(name).null().close('}');
    EXPECT_EQ(out, R"({"later":null,"later":null})");
}

} // namespace
