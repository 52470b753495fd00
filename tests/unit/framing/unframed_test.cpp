#include "cutting.h"

#include <gtest/gtest.h>

namespace wm::framing {
namespace {

using Texts = std::vector<std::string>;

TEST(DocumentFramer, GivesAllOfItAtItsEnd) {
    EXPECT_EQ(data_of(cut_anyhow(Framing::document, "{\"a\":\n1}")), Texts{"{\"a\":\n1}"});
    EXPECT_TRUE(cut_anyhow(Framing::document, "").frames.empty());
    EXPECT_EQ(data_of(cut_anyhow(Framing::document, "1234", 4)), Texts{"1234"});
    const auto large = cut_anyhow(Framing::document, "12345", 4);
    EXPECT_TRUE(large.frames.empty());
    EXPECT_NE(large.problem, "");
}

TEST(RawFramer, GivesWhatHasComeAsItHasCome) {
    EXPECT_EQ(data_of(cut(Framing::raw, {"ab", "", "c"})), (Texts{"ab", "c"}));
    const auto framer = make_framer(Framing::raw, 1);
    Frame frame;
    framer->feed("abc");
    ASSERT_TRUE(framer->next(frame));
    EXPECT_EQ(frame.raw, "abc");
    EXPECT_EQ(framer->held(), 0u);
}

} // namespace
} // namespace wm::framing
