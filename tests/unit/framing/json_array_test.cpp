#include "cutting.h"

#include <gtest/gtest.h>

namespace wm::framing {
namespace {

using Texts = std::vector<std::string>;

TEST(JsonArrayFramer, GivesEachElement) {
    const std::pair<const char*, Texts> table[] = {
        {"[]", {}},
        {" [ \n ] \n", {}},
        {"[{\"a\":[1,{}]}\n,\r\n{\"b\":\"]},[\\\"\\\\\"}]", {"{\"a\":[1,{}]}", "{\"b\":\"]},[\\\"\\\\\"}"}},
        {"[1, true ,null,-2.5e3]", {"1", "true", "null", "-2.5e3"}},
        {"[\"a,b\",[],[[\"]\"]]]", {"\"a,b\"", "[]", "[[\"]\"]]"}},
        {"[{\n  \"pretty\": 1\n}\n,\n{}", {"{\n  \"pretty\": 1\n}", "{}"}}, // whether it was all is for who reads it
        {"", {}},
    };
    for (const auto& [stream, elements] : table) {
        const auto got = cut_anyhow(Framing::json_array, stream);
        EXPECT_EQ(data_of(got), elements) << stream;
        EXPECT_EQ(got.problem, "") << stream;
    }
}

TEST(JsonArrayFramer, GivesAnElementWithItsLastByte) {
    const auto framer = make_framer(Framing::json_array, 100);
    Frame frame;
    framer->feed("[{\"a\":1}");
    ASSERT_TRUE(framer->next(frame));
    EXPECT_EQ(frame.data, "{\"a\":1}");
    EXPECT_EQ(framer->held(), 0u);
}

TEST(JsonArrayFramer, RefusesWhatIsNone) {
    const std::pair<const char*, Texts> table[] = {
        {"{\"error\":{}}", {}}, {"x", {}},   {"[{}{}]", {"{}"}},  {"[,{}]", {}},    {"[{},]", {"{}"}},
        {"[{},,{}]", {"{}"}},   {"[]]", {}}, {"[{}] {}", {"{}"}}, {"[{\"a\":", {}}, {"[\"cut", {}},
        {"[{},12", {"{}"}}};
    for (const auto& [stream, elements] : table) {
        const auto got = cut_anyhow(Framing::json_array, stream);
        EXPECT_EQ(data_of(got), elements) << stream;
        EXPECT_NE(got.problem, "") << stream;
    }
}

TEST(JsonArrayFramer, BoundsAnElement) {
    const auto got = cut_anyhow(Framing::json_array, "[ {\"a\":1} , {\"a\":12} ]", 7);
    EXPECT_EQ(data_of(got), Texts{"{\"a\":1}"});
    EXPECT_NE(got.problem, "");
    EXPECT_EQ(cut_anyhow(Framing::json_array, "[1,2,3,4,5,6,7,8,9]", 7).problem, "");
}

} // namespace
} // namespace wm::framing
