#include "cutting.h"

#include <gtest/gtest.h>

namespace wm::framing {
namespace {

using Texts = std::vector<std::string>;

TEST(NdjsonFramer, GivesALineAFrame) {
    const std::pair<const char*, Texts> table[] = {
        {"", {}},
        {"{\"a\":1}\n{\"b\":\"x\"}\n", {"{\"a\":1}", "{\"b\":\"x\"}"}},
        {"{\"a\":1}\r\n\r\n \t\n{}\r\n", {"{\"a\":1}", "{}"}},
        {"{\"a\":1}\n{\"without\":\"an end\"}", {"{\"a\":1}", "{\"without\":\"an end\"}"}},
        {"  1 \n\n", {"1"}},
    };
    for (const auto& [stream, lines] : table) {
        const auto got = cut_anyhow(Framing::ndjson, stream);
        EXPECT_EQ(data_of(got), lines) << stream;
        EXPECT_EQ(got.problem, "");
    }
}

TEST(NdjsonFramer, BoundsALine) {
    const auto got = cut_anyhow(Framing::ndjson, "{\"a\":1}\n{\"a\":12}\n{}\n", 7);
    EXPECT_EQ(data_of(got), Texts{"{\"a\":1}"});
    EXPECT_NE(got.problem, "");
    EXPECT_NE(cut_anyhow(Framing::ndjson, "12345678", 7).problem, "");
}

} // namespace
} // namespace wm::framing
