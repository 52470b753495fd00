// Golden transcripts of each direction. WM_UPDATE_GOLDEN=1 (scripts/goldens) writes the results anew, to be reviewed as
// a diff.
//
//   NAME.request.json   a client's request; the upstream's is NAME.request.out
//   NAME.answer.json    an upstream's answer to ask.json; what the client gets is NAME.answer.out
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
                                    {"messages-to-chat", "anthropic-messages", "openai-chat"}};

std::vector<std::string> files(const Direction& direction, std::string_view ending) {
    std::vector<std::string> out;
    for (const auto& file : std::filesystem::directory_iterator(std::string(WM_GOLDEN "/") + direction.folder))
        if (file.path().string().ends_with(ending)) out.push_back(file.path().string());
    std::sort(out.begin(), out.end());
    return out;
}

Conversation asked(const Direction& direction, bool stream) {
    Conversation talk(direction.client, direction.upstream);
    const auto sent = talk.request(read_file(std::string(WM_GOLDEN "/") + direction.folder + "/ask.json"), stream);
    EXPECT_TRUE(sent.starts_with("{")) << sent;
    return talk;
}

void expect_golden(const std::string& input, const std::string& found) {
    const auto path = input.substr(0, input.rfind('.')) + ".out";
    if (std::getenv("WM_UPDATE_GOLDEN")) std::ofstream(path, std::ios::binary) << found;
    EXPECT_EQ(found, read_file(path)) << input;
}

class Golden : public testing::TestWithParam<Direction> {};
INSTANTIATE_TEST_SUITE_P(Directions, Golden, testing::ValuesIn(directions), [](const auto& p) {
    std::string name = p.param.folder;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST_P(Golden, Requests) {
    ASSERT_FALSE(files(GetParam(), ".request.json").empty());
    for (const auto& path : files(GetParam(), ".request.json")) {
        Conversation talk(GetParam().client, GetParam().upstream);
        const auto sent = talk.request(read_file(path));
        expect_golden(path, talk.remarks() + sent + "\n");
    }
}

TEST_P(Golden, Documents) {
    ASSERT_FALSE(files(GetParam(), ".answer.json").empty());
    for (const auto& path : files(GetParam(), ".answer.json")) {
        auto talk = asked(GetParam(), false);
        const auto given = talk.document(read_file(path));
        expect_golden(path, talk.remarks() + given + "\n");
    }
}

TEST_P(Golden, Streams) {
    ASSERT_FALSE(files(GetParam(), ".stream.sse").empty());
    for (const auto& path : files(GetParam(), ".stream.sse")) {
        auto talk = asked(GetParam(), true);
        const auto answer = read_file(path);
        const auto given = talk.stream({answer});
        expect_golden(path, talk.remarks() + "\n" + given);
    }
}

// However the upstream's bytes are cut, the client gets the same.
TEST_P(Golden, EverySplit) {
    for (const auto& path : files(GetParam(), ".stream.sse")) {
        const auto answer = read_file(path);
        auto whole = asked(GetParam(), true);
        auto wanted = whole.stream({answer});
        wanted += whole.remarks();
        auto talk = asked(GetParam(), true);
        for (std::size_t at = 0; at <= answer.size(); ++at) {
            const std::string_view bytes(answer);
            (void)talk.request(read_file(std::string(WM_GOLDEN "/") + GetParam().folder + "/ask.json"), true);
            const auto given = talk.stream({bytes.substr(0, at), bytes.substr(at)});
            ASSERT_EQ(given + talk.remarks(), wanted) << path << " cut at " << at;
        }
        std::vector<std::string_view> bytes;
        for (std::size_t at = 0; at < answer.size(); ++at) bytes.push_back(std::string_view(answer).substr(at, 1));
        (void)talk.request(read_file(std::string(WM_GOLDEN "/") + GetParam().folder + "/ask.json"), true);
        const auto given = talk.stream(bytes);
        ASSERT_EQ(given + talk.remarks(), wanted) << path << " byte by byte";
    }
}

// A stream that ends anywhere before its end is never taken for a whole one, and always ends legally.
TEST_P(Golden, EveryCut) {
    for (const auto& path : files(GetParam(), ".stream.sse")) {
        const auto answer = read_file(path);
        auto talk = asked(GetParam(), true);
        (void)talk.stream({answer});
        if (talk.remarks().find("terminal") == std::string::npos) continue;
        for (std::size_t at = 0; at < answer.size(); at += 7) {
            (void)talk.request(read_file(std::string(WM_GOLDEN "/") + GetParam().folder + "/ask.json"), true);
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
