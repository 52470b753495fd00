#include "framing/framing.h"

#include <gtest/gtest.h>
#include <watermaster/words.h>

namespace wm::framing {
namespace {

TEST(Framing, EveryWordOfTheSdkIsOne) {
    const std::pair<const char*, Framing> words[] = {{WM_FRAMING_SSE, Framing::sse},
                                                     {WM_FRAMING_NDJSON, Framing::ndjson},
                                                     {WM_FRAMING_JSON_ARRAY, Framing::json_array},
                                                     {WM_FRAMING_AWS_EVENTSTREAM, Framing::aws_eventstream},
                                                     {WM_FRAMING_DOCUMENT, Framing::document},
                                                     {WM_FRAMING_RAW, Framing::raw}};
    for (const auto& [word, framing] : words) {
        EXPECT_EQ(framing_of(word), framing) << word;
        EXPECT_EQ(to_string(framing), word);
        EXPECT_NE(all_framings().find("`" + std::string(word) + "`"), std::string::npos);
    }
    for (const auto* word : {"", "SSE", "websocket"}) EXPECT_FALSE(framing_of(word)) << word;
}

} // namespace
} // namespace wm::framing
