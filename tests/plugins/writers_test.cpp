// What a writer cannot show of events that another protocol's reader may put, it tells: the shipped readers put few of
// these, a plugin from elsewhere may put any.
#include "harness.h"

#include <watermaster/testing/talk.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace wm::test;
using wm::sdk::testing::Talk;
using wm::sdk::testing::Translator;

constexpr const char* protocols[] = {"openai-chat", "openai-responses", "anthropic-messages"};

const std::string& ask_of(const std::string& protocol) {
    static const std::string responses = R"({"model":"m","input":"x"})",
                             others = R"({"model":"m","max_tokens":1,"messages":[]})";
    return protocol == "openai-responses" ? responses : others;
}

using Events = std::vector<Event>;

// Keys of the losses that writing an answer with one block tells.
std::vector<std::string> losses(const std::string& protocol, std::uint32_t mode, const Events& inside) {
    const Transcoder transcoder(protocol);
    const Translator translator(transcoder);
    Talk client(translator, WM_ROLE_CLIENT, mode == WM_MODE_STREAM);
    Capture read, out;
    EXPECT_EQ(client.read({}, ask_of(protocol), WM_FRAME_DOCUMENT, read).status, WM_OK);
    EXPECT_EQ(client.write_begin(mode).status, WM_OK);
    Events all = {{WM_EV_RESPONSE, 1, 0, 0, "elsewhere", "r1"}, {WM_EV_CHOICE, 2, 1, 0, "", "0"}};
    all.insert(all.end(), inside.begin(), inside.end());
    all.push_back({WM_EV_FINISH, 2, 0, 0, WM_FINISH_END, "\"end\""});
    all.push_back({WM_EV_END, 2, 0, 0, "", ""});
    all.push_back({WM_EV_USAGE, 0, 0, 0, WM_USAGE_INPUT, "1"});
    all.push_back({WM_EV_USAGE, 0, 0, 0, WM_USAGE_INPUT_CACHED, "0"});
    all.push_back({WM_EV_USAGE, 0, 0, 0, WM_USAGE_OUTPUT, "1"});
    all.push_back({WM_EV_USAGE, 0, 0, 0, WM_USAGE_OUTPUT_REASONING, "0"});
    all.push_back({WM_EV_END, 1, 0, 0, "", ""});
    for (const Event& event : all) EXPECT_EQ(client.write(event, out).status, WM_OK);
    EXPECT_EQ(client.write_end(out).status, WM_OK);
    std::vector<std::string> keys;
    for (const Event& event : out.events)
        if (event.tag == WM_EV_LOSS) keys.push_back(event.name);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

void expect_told(const char* key, const Events& inside) {
    for (const char* protocol : protocols)
        for (const std::uint32_t mode : {WM_MODE_DOCUMENT, WM_MODE_STREAM}) {
            SCOPED_TRACE(std::string(protocol) + (mode == WM_MODE_STREAM ? " stream" : " document"));
            EXPECT_EQ(losses(protocol, mode, inside), std::vector<std::string>{key});
        }
}

TEST(Writers, TellNothingOfWhatTheyShow) {
    for (const char* protocol : protocols)
        for (const std::uint32_t mode : {WM_MODE_DOCUMENT, WM_MODE_STREAM})
            EXPECT_TRUE(losses(protocol, mode,
                               {{WM_EV_BLOCK, 3, 2, 0, WM_BLOCK_TEXT, ""},
                                {WM_EV_TEXT, 3, 0, 0, "", "x"},
                                {WM_EV_END, 3, 0, 0, "", ""}})
                            .empty())
                << protocol;
}

// Some providers sign calls, not thoughts.
TEST(Writers, TellOfTheSignatureOfACall) {
    expect_told(WM_LOSS_AUTHENTICATED_THINKING, {{WM_EV_BLOCK, 3, 2, 0, WM_BLOCK_TOOL_CALL, ""},
                                                 {WM_EV_CALL, 3, 0, 0, "", "c1"},
                                                 {WM_EV_TOOLNAME, 3, 0, 0, "", "f"},
                                                 {WM_EV_SIGNATURE, 3, 0, 0, "elsewhere", "sig"},
                                                 {WM_EV_ARGS, 3, 0, 0, "", "{}"},
                                                 {WM_EV_END, 3, 0, 0, "", ""}});
}

TEST(Writers, TellOfMedia) {
    expect_told(WM_LOSS_MEDIA, {{WM_EV_BLOCK, 3, 2, 0, WM_BLOCK_IMAGE, ""},
                                {WM_EV_DATA, 3, 0, 0, "image/png", "AAAA"},
                                {WM_EV_END, 3, 0, 0, "", ""}});
}

TEST(Writers, TellOfToolsThatTheProviderRan) {
    expect_told(WM_LOSS_BUILTIN_TOOLS, {{WM_EV_BLOCK, 3, 2, 0, WM_BLOCK_SERVER_CALL, ""},
                                        {WM_EV_RAW, 3, 0, 0, "elsewhere", "{}"},
                                        {WM_EV_END, 3, 0, 0, "", ""}});
}

TEST(Writers, TellOfCitations) {
    expect_told(WM_LOSS_CITATIONS, {{WM_EV_BLOCK, 3, 2, 0, WM_BLOCK_TEXT, ""},
                                    {WM_EV_TEXT, 3, 0, 0, "", "x"},
                                    {WM_EV_CITATION, 4, 3, 0, WM_CITATION_URL, ""},
                                    {WM_EV_RAW, 4, 0, 0, "elsewhere", "{}"},
                                    {WM_EV_END, 4, 0, 0, "", ""},
                                    {WM_EV_END, 3, 0, 0, "", ""}});
}

TEST(Writers, TellOfWhatIsNotKnownYet) {
    constexpr std::uint32_t newer = 0x007F;
    expect_told(WM_LOSS_UNKNOWN_EVENT, {{WM_EV_BLOCK, 3, 2, 0, WM_BLOCK_TEXT, ""},
                                        {WM_EV_TEXT, 3, 0, 0, "", "x"},
                                        {newer, 3, 0, 0, "", "y"},
                                        {WM_EV_END, 3, 0, 0, "", ""}});
}

} // namespace
