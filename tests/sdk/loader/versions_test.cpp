// A plugin of an earlier or a later minor loads, and works as far as this host knows it.
#include "plugin/guard.h"
#include "plugin/registry.h"
#include "plugin/talk.h"
#include "plugin_folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <watermaster/plugin.h>

using namespace wm::plugin;

namespace {

struct Other { // a plugin built with the SDK of another version
    const char* name;
};

struct OtherVersion : testing::TestWithParam<Other> {
    OtherVersion() {
        const std::string name = GetParam().name;
        folder.install(name);
        std::ifstream manifest(std::filesystem::path(WM_MANIFESTS) / (name + ".ini"));
        folder.write("p/plugin.ini", {std::istreambuf_iterator<char>(manifest), {}});
        refusals = registry.load(folder.path());
    }
    PluginFolder folder;
    Registry registry;
    std::vector<std::string> refusals;
};
INSTANTIATE_TEST_SUITE_P(Plugins, OtherVersion, testing::Values(Other{"kept"}, Other{"future"}),
                         [](const auto& other) { return std::string(other.param.name); });

TEST_P(OtherVersion, Loads) {
    EXPECT_EQ(refusals, std::vector<std::string>{});
    EXPECT_EQ(registry.transcoders().size(), 1u);
    EXPECT_EQ(registry.adapters().size(), 1u);
}

TEST_P(OtherVersion, IsNotedWhereItIsNotUnderstood) {
    const auto notes = registry.notes();
    if (GetParam().name == std::string("kept")) {
        EXPECT_EQ(notes, std::vector<std::string>{});
        return;
    }
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_NE(notes[0].find("key `signed_by` is unknown"), std::string::npos);
    EXPECT_NE(notes[1].find("component 1 `future-oracle`: interface `wm.oracle/3` is unknown"), std::string::npos);
}

TEST_P(OtherVersion, TranscoderWorks) {
    const Transcoder* transcoder = registry.transcoder("old-and-new");
    ASSERT_TRUE(transcoder);
    RequestView request;
    request.body = "body";
    const auto facts = transcoder->facts(request);
    ASSERT_TRUE(facts) << facts.error().message;
    EXPECT_EQ(facts->model, "body");
    const auto body = transcoder->rewrite(request, "other", false);
    ASSERT_TRUE(body) << body.error().message;
    EXPECT_EQ(*body, "other");
    ErrorReport error;
    error.type = "timeout";
    EXPECT_EQ(*transcoder->write_error(error), "\"error\"");

    const auto tap = transcoder->open_tap({});
    ASSERT_TRUE(tap);
    const auto report = (*tap)->frame("", "{}", wm::framing::FrameKind::message);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->verdict & semantic);
    EXPECT_FALSE(report->usage.input || report->usage.output);
    EXPECT_EQ((*tap)->end(nullptr)->verdict, std::uint32_t(terminal));
}

TEST_P(OtherVersion, AdapterWorks) {
    const Adapter* adapter = registry.adapter("provider");
    ASSERT_TRUE(adapter);
    std::vector<SettingProblem> problems;
    const auto bound = adapter->bind({}, problems);
    ASSERT_TRUE(bound);
    const auto prepared = bound->prepare({});
    ASSERT_TRUE(prepared) << prepared.error().message;
    EXPECT_TRUE(authority_allowed(prepared->url, adapter->about(), ""));
}

struct Body final : EventTaker {
    bool take(const wm_event& event) override { return text.append(event.value.data, event.value.size), true; }
    std::string text;
};

struct Written final : EventTaker { // what is read by one talk, by another
    explicit Written(Talk& by) : writer(by) {}
    bool take(const wm_event& event) override { return !writer.write(event, body); }
    Talk& writer;
    Body body;
};

TEST_P(OtherVersion, TranslationWorks) {
    const Transcoder* transcoder = registry.transcoder("old-and-new");
    ASSERT_TRUE(transcoder && transcoder->about().translates);
    const auto reader = transcoder->open_talk(TalkRole::client, {}),
               writer = transcoder->open_talk(TalkRole::upstream, {});
    ASSERT_TRUE(reader && writer);
    Written out(**writer);
    EXPECT_FALSE((*writer)->write_begin(TalkMode::document));
    EXPECT_FALSE((*reader)->read("", "said", wm::framing::FrameKind::document, out));
    EXPECT_FALSE((*reader)->read_end(out));
    EXPECT_FALSE((*writer)->write_end(out.body));
    EXPECT_EQ(out.body.text, "said");
    EXPECT_EQ((*reader)->read("", "", wm::framing::FrameKind::document, out)->where, "body");
}

TEST_P(OtherVersion, FramesAreUnwrapped) {
    std::vector<SettingProblem> problems;
    const auto bound = registry.adapter("provider")->bind({}, problems);
    ASSERT_TRUE(bound->unframes());
    const auto frames = bound->unframe("", "said", wm::framing::FrameKind::message, 100);
    ASSERT_TRUE(frames) << frames.error().message;
    ASSERT_EQ(frames->size(), 1u);
    EXPECT_EQ(frames->front().data, "said");
}

TEST_P(OtherVersion, AnswersAreObserved) {
    std::vector<SettingProblem> problems;
    const auto bound = registry.adapter("provider")->bind({}, problems);
    const std::vector<wm::PairView> headers = {{"x-left", "7"}};
    const auto limits = bound->observe({.http_status = 200, .headers = headers, .now_ms = 1});
    ASSERT_TRUE(limits) << limits.error().message;
    ASSERT_EQ(limits->size(), 1u);
    EXPECT_EQ(limits->front().remaining, 7);
}

} // namespace
