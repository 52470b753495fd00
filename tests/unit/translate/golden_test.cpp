// Golden transcripts of each pair. WM_UPDATE_GOLDEN=1 (scripts/goldens) writes the results anew, to be reviewed as a
// diff. What a client asks and what an upstream answers stands once, in the folder of its protocol:
//
//   NAME.request.json   a client's request; PAIR/NAME.request.out is what an upstream of the other protocol gets
//   NAME.answer.json    an upstream's answer to ask.json; PAIR/NAME.answer.out is what the client gets
//   NAME.stream.sse     the same, streamed
#include "conversation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

using namespace wm::test;

struct Direction {
    const char *folder, *client, *upstream;
};
constexpr Direction directions[] = {{"chat-to-messages", "openai-chat", "anthropic-messages"},
                                    {"chat-to-responses", "openai-chat", "openai-responses"},
                                    {"messages-to-chat", "anthropic-messages", "openai-chat"},
                                    {"messages-to-responses", "anthropic-messages", "openai-responses"},
                                    {"responses-to-chat", "openai-responses", "openai-chat"},
                                    {"responses-to-messages", "openai-responses", "anthropic-messages"}};

std::string golden(const std::string& name) { return std::string(WM_GOLDEN "/") + name; }

std::vector<std::string> files(const char* protocol, std::string_view ending) {
    std::vector<std::string> out;
    for (const auto& file : std::filesystem::directory_iterator(golden(protocol)))
        if (file.path().string().ends_with(ending)) out.push_back(file.path().string());
    std::sort(out.begin(), out.end());
    return out;
}

std::string ask(const Direction& direction) { return read_file(golden(direction.client) + "/ask.json"); }

Conversation asked(const Direction& direction, bool stream) {
    Conversation talk(direction.client, direction.upstream);
    const auto sent = talk.request(ask(direction), stream);
    EXPECT_TRUE(sent.starts_with("{")) << sent;
    return talk;
}

void expect_golden(const Direction& direction, const std::filesystem::path& input, const std::string& found) {
    const auto path = golden(direction.folder) + "/" + input.stem().string() + ".out";
    if (std::getenv("WM_UPDATE_GOLDEN")) std::ofstream(path, std::ios::binary) << found;
    EXPECT_EQ(found, read_file(path)) << path;
}

class Pairs : public testing::TestWithParam<Direction> {};
INSTANTIATE_TEST_SUITE_P(Golden, Pairs, testing::ValuesIn(directions), [](const auto& p) {
    std::string name = p.param.folder;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST_P(Pairs, Requests) {
    ASSERT_FALSE(files(GetParam().client, ".request.json").empty());
    for (const auto& path : files(GetParam().client, ".request.json")) {
        Conversation talk(GetParam().client, GetParam().upstream);
        const auto sent = talk.request(read_file(path));
        expect_golden(GetParam(), path, talk.remarks() + sent + "\n");
    }
}

TEST_P(Pairs, Documents) {
    ASSERT_FALSE(files(GetParam().upstream, ".answer.json").empty());
    for (const auto& path : files(GetParam().upstream, ".answer.json")) {
        auto talk = asked(GetParam(), false);
        const auto given = talk.document(read_file(path));
        expect_golden(GetParam(), path, talk.remarks() + given + "\n");
    }
}

TEST_P(Pairs, Streams) {
    ASSERT_FALSE(files(GetParam().upstream, ".stream.sse").empty());
    for (const auto& path : files(GetParam().upstream, ".stream.sse")) {
        auto talk = asked(GetParam(), true);
        const auto answer = read_file(path);
        const auto given = talk.stream({answer});
        expect_golden(GetParam(), path, talk.remarks() + "\n" + given);
    }
}

// However the upstream's bytes are cut, they are the same frames,
TEST(Golden, EverySplitGivesTheSameFrames) {
    for (const char* protocol : {"openai-chat", "openai-responses", "anthropic-messages"})
        for (const auto& path : files(protocol, ".stream.sse")) {
            const auto answer = read_file(path);
            const std::string_view bytes(answer);
            const auto wanted = frames({bytes});
            for (std::size_t at = 0; at <= bytes.size(); ++at)
                ASSERT_EQ(frames({bytes.substr(0, at), bytes.substr(at)}), wanted) << path << " cut at " << at;
        }
}

// and the client gets the same.
TEST_P(Pairs, SplitStreams) {
    for (const auto& path : files(GetParam().upstream, ".stream.sse")) {
        const auto answer = read_file(path);
        const std::string_view bytes(answer);
        auto talk = asked(GetParam(), true);
        const auto given = [&](const std::vector<std::string_view>& pieces) {
            (void)talk.request(ask(GetParam()), true);
            auto out = talk.stream(pieces);
            return out += talk.remarks();
        };
        const auto wanted = given({bytes});
        for (std::size_t at = 0; at <= bytes.size(); at += bytes.size() / 50 + 1)
            ASSERT_EQ(given({bytes.substr(0, at), bytes.substr(at)}), wanted) << path << " cut at " << at;
        std::vector<std::string_view> single;
        for (std::size_t at = 0; at < bytes.size(); ++at) single.push_back(bytes.substr(at, 1));
        ASSERT_EQ(given(single), wanted) << path << " byte by byte";
    }
}

// A stream that ends anywhere before its end is never taken for a whole one, and always ends legally.
TEST_P(Pairs, CutStreams) {
    for (const auto& path : files(GetParam().upstream, ".stream.sse")) {
        const auto answer = read_file(path);
        auto talk = asked(GetParam(), true);
        (void)talk.stream({answer});
        if (talk.remarks().find("terminal") == std::string::npos) continue;
        for (std::size_t at = 0; at < answer.size(); at += answer.size() / 100 + 1) {
            (void)talk.request(ask(GetParam()), true);
            const auto given = talk.stream({std::string_view(answer).substr(0, at)});
            const bool ended = talk.remarks().find("terminal") != std::string::npos;
            ASSERT_NE(ended, given.find("upstream_failed") != std::string::npos ||
                                 given.find("was cut off") != std::string::npos)
                << path << " cut at " << at << "\n"
                << given << talk.remarks();
        }
    }
}

} // namespace
