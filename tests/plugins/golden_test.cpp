// Golden answers of the three protocols. WM_UPDATE_GOLDEN=1 writes the accounts anew, to be reviewed as a diff.
#include "golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace {

using namespace wm::test;

class Golden : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Protocols, Golden, testing::Values("openai-chat", "openai-responses", "anthropic-messages"),
                         [](const auto& p) {
                             std::string name = p.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

TEST_P(Golden, Accounts) {
    const Transcoder transcoder(GetParam());
    const auto files = golden_files(GetParam());
    ASSERT_FALSE(files.empty());
    for (const std::string& path : files) {
        const std::string found = account(transcoder, path);
        if (std::getenv("WM_UPDATE_GOLDEN")) std::ofstream(path + ".account", std::ios::binary) << found;
        EXPECT_EQ(found, read_file(path + ".account")) << path;
    }
}

// A frame cut anywhere is either refused or judged; it never takes the plugin along.
TEST_P(Golden, EveryTruncationReturnsAStatus) {
    const Transcoder transcoder(GetParam());
    for (const std::string& path : golden_files(GetParam())) {
        const bool document = path.ends_with(".json");
        const std::string text = read_file(path);
        auto frames = wm::sdk::testing::sse_frames(text);
        if (document) frames = {{"", text}};
        for (const auto& [name, data] : frames) {
            for (std::size_t n = 0; n < data.size(); ++n) {
                const std::string cut(data, 0, n); // its own allocation, so that a read behind it is seen
                Tap tap(transcoder);
                Capture out, end;
                const Outcome outcome = tap.frame(name, cut, out, document ? WM_FRAME_DOCUMENT : WM_FRAME_MESSAGE);
                if (data.starts_with('{') && n > 0) {
                    ASSERT_EQ(outcome.status, WM_BAD_INPUT) << path << " at " << n;
                } else {
                    ASSERT_TRUE(outcome.status == WM_OK || outcome.status == WM_BAD_INPUT) << path << " at " << n;
                }
                ASSERT_EQ(tap.end(nullptr, end).status, WM_OK);
            }
        }
    }
}

// What the account of a stream rests on: the network's cuts and the kind of line end change no frame.
TEST_P(Golden, FramesAreTheSameHoweverTheyAreCut) {
    const std::string text = read_file(std::string(WM_GOLDEN "/") + GetParam() + "/text.sse");
    const auto expected = wm::sdk::testing::sse_frames(text);
    ASSERT_FALSE(expected.empty());
    for (const char* line_end : {"\n", "\r\n", "\r"}) {
        std::string other;
        for (const char c : text) c == '\n' ? other += line_end : other += c;
        wm::sdk::testing::every_split(other, [&](std::string_view first, std::string_view second) {
            wm::sdk::testing::SseFrames frames;
            auto found = frames.feed(first);
            for (auto& frame : frames.feed(second)) found.push_back(std::move(frame));
            ASSERT_EQ(found, expected) << "at " << first.size();
        });
    }
}

} // namespace
