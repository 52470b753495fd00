#include <watermaster/json_scan.hpp>
#include <watermaster/json_write.hpp>

#include <gtest/gtest.h>

namespace {

using namespace wm::sdk::json;

TEST(Write, QuotesEveryByteSoThatItComesBack) {
    for (int byte = 0; byte < 0x80; ++byte) {
        const std::string one(1, static_cast<char>(byte));
        const std::string written = quote(one);
        Scan scan(written);
        const Value value = scan.value();
        ASSERT_TRUE(scan.finish()) << byte;
        EXPECT_EQ(text(value.body()), one) << byte;
    }
    EXPECT_EQ(quote("a\"\\\n\r\t\x01\x7f"), "\"a\\\"\\\\\\n\\r\\t\\u0001\x7f\"");
    EXPECT_EQ(quote("\xE5\x8C\x97\xF0\x9F\x99\x82"), "\"\xE5\x8C\x97\xF0\x9F\x99\x82\"");
    EXPECT_EQ(quote("\xff\xE5"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(Write, NestsAndSeparates) {
    std::string out;
    {
        Writer root(out);
        root.text("a", "x");
        root.number("n", 18446744073709551615u);
        {
            Writer list = root.array("l");
            list.element_raw("1");
            list.element_raw("[]");
        }
        { Writer empty = root.object("o"); }
        root.raw("r", "1.50");
    }
    EXPECT_EQ(out, R"({"a":"x","n":18446744073709551615,"l":[1,[]],"o":{},"r":1.50})");
}

} // namespace
