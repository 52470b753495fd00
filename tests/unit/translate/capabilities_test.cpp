// What an upstream is declared to take, what a client is shown, and which losses are approved.
#include "conversation.h"

#include <gtest/gtest.h>

namespace {

using namespace wm;
using translate::Approvals;
using translate::Translation;
using wm::test::transcoder;

constexpr const char* chat = "openai-chat";
constexpr const char* messages = "anthropic-messages";

using Capabilities = std::vector<PairView>;

std::unique_ptr<plugin::TalkOptions> bound(const char* protocol, const Capabilities& capabilities) {
    std::vector<plugin::SettingProblem> problems;
    auto options = transcoder(protocol).bind(capabilities, problems);
    EXPECT_TRUE(options) << (problems.empty() ? "" : problems.front().problem);
    return options;
}

// A Messages client of an upstream of Chat Completions, both with these capabilities.
class Mapped {
  public:
    Mapped(const Capabilities& capabilities, const Approvals& approvals)
        : client_(bound(messages, capabilities)), upstream_(bound(chat, capabilities)),
          translation_(std::move(*Translation::open({transcoder(messages), client_.get()}, params, approvals))) {}

    std::string request(const std::string& members, const std::string& said = R"([{"role":"user","content":"x"}])") {
        const auto body = R"({"model":"m","max_tokens":1,"messages":)" + said + members + "}";
        auto out = translation_->request(body, {transcoder(chat), upstream_.get()}, params, std::nullopt);
        return out ? std::move(*out) : "[" + out.error().where + "] " + out.error().message;
    }
    // The client's document, or the status of what was refused.
    std::string answer(const std::string& message) {
        std::string out;
        const auto give = [&](std::string_view, std::string_view data) { out += data; };
        (void)translation_->begin_answer(plugin::TalkMode::document);
        const auto body = R"({"id":"c","choices":[{"index":0,"finish_reason":"stop","message":)" + message +
                          R"(}],"usage":{"prompt_tokens":1,"completion_tokens":1}})";
        auto read = translation_->answer({}, body, framing::FrameKind::document, give);
        if (read) read = translation_->end(give);
        return read ? out : "[" + read.error().where + "] " + std::to_string(read.error().status);
    }
    std::string stream(const std::string& delta) {
        std::string out;
        const auto give = [&](std::string_view name, std::string_view data) {
            out.append(name).append(" ").append(data).append("\n");
        };
        (void)translation_->begin_answer(plugin::TalkMode::stream);
        for (const auto& one : {delta, std::string(R"({"content":"end"},"finish_reason":"stop")")})
            EXPECT_TRUE(translation_->answer({}, R"({"id":"c","choices":[{"index":0,"delta":)" + one + "}]}",
                                             framing::FrameKind::message, give));
        EXPECT_TRUE(translation_->answer({}, "[DONE]", framing::FrameKind::message, give));
        return out;
    }
    const std::vector<translate::Loss>& losses() const { return translation_->losses().all(); }

    static constexpr plugin::TalkParams params{.exchange = "x17", .operation = "create", .model = "up", .now_ms = 1};

  private:
    std::unique_ptr<plugin::TalkOptions> client_, upstream_;
    std::unique_ptr<Translation> translation_;
};

struct Case {
    const char *capability, *member, *written, *where;
};
constexpr Case cases[] = {
    {"stop_sequences", R"(,"stop_sequences":["a"])", R"("stop":["a"])", "stop_sequences"},
    {"structured_outputs", R"(,"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}})",
     R"("response_format":)", "output_config.format"},
    {"parallel_tool_calls",
     R"(,"tools":[{"name":"f","input_schema":{}}],"tool_choice":{"type":"auto","disable_parallel_tool_use":true})",
     R"("parallel_tool_calls":false)", "tool_choice.disable_parallel_tool_use"},
};

TEST(Capabilities, SayWhatAnUpstreamTakes) {
    for (const auto& one : cases) {
        Mapped with({{one.capability, "true"}}, Approvals::of_mounts());
        Mapped without({{one.capability, "false"}}, Approvals::of_mounts());
        EXPECT_NE(with.request(one.member).find(one.written), std::string::npos) << with.request(one.member);
        const auto refused = without.request(one.member);
        EXPECT_TRUE(refused.starts_with("[" + std::string(one.where) + "]")) << refused;
    }
}

TEST(Capabilities, ImagesAreForUpstreamsThatTakeThem) {
    const std::string image =
        R"([{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://e.example/a.png"}}]}])";
    EXPECT_NE(Mapped({{"image_input", "true"}}, Approvals::of_mounts()).request("", image).find("a.png"),
              std::string::npos);
    Mapped without({{"image_input", "false"}}, Approvals::of_served_models());
    EXPECT_EQ(without.request("", image).find("a.png"), std::string::npos);
    ASSERT_EQ(without.losses().size(), 1u);
    EXPECT_EQ(without.losses().front().key, "image_input");
}

TEST(Capabilities, UnknownOnesAndWrongValuesAreRefused) {
    std::vector<plugin::SettingProblem> problems;
    EXPECT_FALSE(transcoder(chat).bind(Capabilities{{"image_input", "perhaps"}}, problems));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems.front().key, "image_input");
}

TEST(Approvals, UnknownMembersAreRefusedOnMountsAndTheirNamesTold) {
    Mapped mount({}, Approvals::of_mounts()), served({}, Approvals::of_served_models());
    EXPECT_EQ(mount.request(R"(,"novelty":1)"), "[novelty] loss of extension_members is not approved");
    EXPECT_TRUE(served.request(R"(,"novelty":1)").starts_with("{"));
    EXPECT_EQ(mount.request(R"(,"metadata":{"user_id":"u","novelty":1})"),
              "[metadata.novelty] loss of extension_members is not approved");
}

TEST(Approvals, AnUnapprovedLossEndsAnAnswerOnMountsAlone) {
    const std::string thoughtful = R"({"role":"assistant","reasoning":"hm","content":"x"})";
    Mapped mount({}, Approvals::of_mounts()), served({}, Approvals::of_served_models());
    ASSERT_TRUE(mount.request("").starts_with("{"));
    ASSERT_TRUE(served.request("").starts_with("{"));
    EXPECT_EQ(mount.answer(thoughtful), "[content.reasoning] " + std::to_string(plugin::refused));
    EXPECT_TRUE(served.answer(thoughtful).starts_with("{"));
    auto approved = Approvals::of_mounts();
    approved.set("provider_reasoning_text", true);
    Mapped tolerant({}, approved);
    ASSERT_TRUE(tolerant.request("").starts_with("{"));
    EXPECT_TRUE(tolerant.answer(thoughtful).starts_with("{"));
}

TEST(SyntheticThinking, IsMarkedAndTakenOutOfTheHistory) {
    Mapped talk({{"provider_reasoning_thinking", "true"}}, Approvals::of_mounts());
    ASSERT_TRUE(talk.request("").starts_with("{"));
    const std::string mark = R"({"type":"thinking","thinking":"hm","signature":"wm1.none."})";
    EXPECT_NE(talk.answer(R"({"role":"assistant","reasoning":"hm","content":"x"})").find(mark), std::string::npos);
    ASSERT_TRUE(talk.request("").starts_with("{"));
    const auto stream = talk.stream(R"({"reasoning_content":"hm"})");
    EXPECT_NE(stream.find(R"("delta":{"type":"thinking_delta","thinking":"hm"})"), std::string::npos) << stream;
    EXPECT_NE(stream.find(R"("signature":"wm1.none.")"), std::string::npos) << stream;

    const auto sent = talk.request("", R"([{"role":"user","content":"x"},{"role":"assistant","content":[)" + mark +
                                           R"(,{"type":"text","text":"y"}]},{"role":"user","content":"z"}])");
    ASSERT_TRUE(sent.starts_with("{")) << sent;
    EXPECT_EQ(sent.find("hm"), std::string::npos);
    EXPECT_EQ(sent.find("wm1."), std::string::npos);
    ASSERT_EQ(talk.losses().size(), 1u);
    EXPECT_TRUE(talk.losses().front().note);
}

TEST(SyntheticThinking, MayBeShownAsTextAndThinkingPrecedes) {
    const Capabilities text{{"provider_reasoning_text", "true"}},
        both{{"provider_reasoning_text", "true"}, {"provider_reasoning_thinking", "true"}};
    const std::string thoughtful = R"({"role":"assistant","reasoning":"hm","content":"x"})";
    Mapped talk(text, Approvals::of_mounts());
    ASSERT_TRUE(talk.request("").starts_with("{"));
    EXPECT_NE(talk.answer(thoughtful).find(R"({"type":"text","text":"hm"},{"type":"text","text":"x"})"),
              std::string::npos);
    ASSERT_TRUE(talk.request("").starts_with("{"));
    EXPECT_NE(talk.stream(R"({"reasoning_content":"hm"})").find(R"({"type":"text_delta","text":"hm"})"),
              std::string::npos);
    Mapped preferred(both, Approvals::of_mounts());
    ASSERT_TRUE(preferred.request("").starts_with("{"));
    EXPECT_NE(preferred.answer(thoughtful).find(R"("thinking":"hm")"), std::string::npos);
}

} // namespace
