#include "base/text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

using namespace wm;

namespace {

TEST(ParseNumber, DigitsOnlyAndNoOverflow) {
    EXPECT_EQ(parse_number<std::uint32_t>("42"), 42u);
    EXPECT_EQ(parse_number<std::uint32_t>("ff", 16), 255u);
    for (const auto* text : {"", "-1", "+1", " 1", "1 ", "1x", "4294967296"})
        EXPECT_FALSE(parse_number<std::uint32_t>(text)) << text;
}

TEST(ForEachElement, TrimsAndSkipsEmptyOnes) {
    std::vector<std::string> elements;
    for_each_element(", a,b ,,\t c,", [&](std::string_view e) { elements.emplace_back(e); });
    EXPECT_EQ(elements, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Iequals, IsAsciiOnly) {
    EXPECT_TRUE(iequals("Content-TYPE", "content-type"));
    EXPECT_FALSE(iequals("a", "ab"));
    EXPECT_FALSE(iequals("\xc3\x89", "\xc3\xa9"));
}

} // namespace
