// Upstreams that say more than may be held: of each kind of thing that a stream can heap up, for each pair of
// protocols, in bytes of the heap.
#include "conversation.h"

#include <gtest/gtest.h>

#include <watermaster/translation/call_ids.hpp>

#include <malloc.h>

namespace {

using namespace wm;
using wm::test::transcoder;

constexpr const char* chat = "openai-chat";
constexpr const char* messages = "anthropic-messages";
constexpr const char* responses = "openai-responses";

constexpr std::size_t bound = 64u << 10, said = 64 * bound;

// What is said of number `i`, after `first`. `held`: by readers or by every writer, so that it cannot go on.
struct Hostile {
    const char *upstream, *what;
    bool held;
    std::string first;
    std::function<std::string(const std::string& i)> more;
};

const std::string long_text(1000, 'x');

std::vector<Hostile> hostile() {
    const auto delta = [](const std::string& members) {
        return R"({"id":"c","choices":[{"index":0,"delta":{)" + members + "}}]}";
    };
    const auto call = [delta](const std::string& i, const std::string& id, const std::string& name) {
        return delta(R"("tool_calls":[{"index":)" + i + R"(,"id":")" + id + R"(","function":{)" + name +
                     R"("arguments":"{"}}])");
    };
    const std::string named = R"("name":"f",)";
    const auto item = [](const std::string& i, const std::string& members) {
        return R"({"type":"response.output_item.added","output_index":)" + i + R"(,"item":{)" + members + "}}";
    };
    const auto block = [](const std::string& i, const std::string& members) {
        return R"({"type":"content_block_start","index":)" + i + R"(,"content_block":{)" + members + "}}";
    };
    return {
        {chat, "text", false, {}, [=](auto) { return delta(R"("content":")" + long_text + '"'); }},
        {chat, "calls", true, {}, [=](auto i) { return call(i, "c" + i, named); }},
        {chat, "calls of one number", true, {}, [=](auto i) { return call("0", "c" + i, named); }},
        {chat, "calls without ids", true, {}, [=](auto i) { return call(i, "", named); }},
        {chat, "nameless calls", true, {}, [=](auto i) { return call(i, "c" + i, ""); }},
        {chat, "long ids", true, {}, [=](auto i) { return call(i, long_text + i, named); }},
        {chat, "long names", true, {}, [=](auto i) { return call(i, "c" + i, R"("name":")" + long_text + "\","); }},
        {chat,
         "citations",
         false,
         {},
         [=](auto) { return delta(R"("content":"x","annotations":[{"url":")" + long_text + "\"}]"); }},
        {chat,
         "choices",
         true,
         {},
         [](auto i) { return R"({"id":"c","choices":[{"index":)" + i + R"(,"delta":{"content":"x"}}]})"; }},
        {responses, "text", false, item("0", R"("type":"message","id":"m")"),
         [](auto) { return R"({"type":"response.output_text.delta","output_index":0,"delta":")" + long_text + "\"}"; }},
        {responses, "items", true, {}, [=](auto i) { return item(i, R"("type":"message","id":"m)" + i + '"'); }},
        {responses,
         "calls",
         true,
         {},
         [=](auto i) { return item(i, R"("type":"function_call","name":"f","call_id":"c)" + i + '"'); }},
        {responses,
         "long ids",
         true,
         {},
         [=](auto i) { return item(i, R"("type":"function_call","name":"f","call_id":")" + long_text + i + '"'); }},
        {responses,
         "long names",
         true,
         {},
         [=](auto i) { return item(i, R"("type":"function_call","name":")" + long_text + "\""); }},
        {responses, "parts", false, item("0", R"("type":"message","id":"m")"),
         [](auto i) {
             return R"({"type":"response.output_text.delta","output_index":0,"content_index":)" + i +
                    R"(,"delta":"x"})";
         }},
        {responses, "citations", false, item("0", R"("type":"message","id":"m")"),
         [](auto i) {
             return i == "1"
                        ? std::string(R"({"type":"response.output_text.delta","output_index":0,"delta":"x"})")
                        : R"({"type":"response.output_text.annotation.added","output_index":0,"annotation":{"url":")" +
                              long_text + "\"}}";
         }},
        {messages, "text", false, block("0", R"("type":"text","text":"")"),
         [](auto) {
             return R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")" + long_text +
                    "\"}}";
         }},
        {messages, "blocks", true, {}, [=](auto i) { return block(i, R"("type":"text","text":"x")"); }},
        {messages, "blocks of one number", true, {}, [=](auto) { return block("0", R"("type":"text","text":"x")"); }},
        {messages,
         "calls",
         true,
         {},
         [=](auto i) { return block(i, R"("type":"tool_use","name":"f","id":"t)" + i + "\""); }},
        {messages,
         "long ids",
         true,
         {},
         [=](auto i) { return block(i, R"("type":"tool_use","name":"f","id":")" + long_text + i + "\""); }},
        {messages,
         "long names",
         true,
         {},
         [=](auto i) { return block(i, R"("type":"tool_use","name":")" + long_text + "\""); }},
        {messages, "citations", false, block("0", R"("type":"text","text":"x")"),
         [](auto) {
             return R"({"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"url":")" +
                    long_text + "\"}}}";
         }},
        {messages, "signatures", false, block("0", R"("type":"thinking","thinking":"x")"),
         [](auto) {
             return R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":")" +
                    long_text + "\"}}";
         }},
    };
}

std::size_t heap() {
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

struct Outcome {
    std::string failure; // empty: all of it was said
    std::size_t grown = 0;
};

Outcome stream(const char* client, const Hostile& from) {
    const plugin::TalkParams params{
        .exchange = "x17", .operation = "create", .model = "up", .now_ms = 1, .max_held = bound, .stream = true};
    auto translation = std::move(*translate::Translation::open(transcoder(client), params));
    const std::string body = client == std::string_view(responses)
                                 ? R"({"model":"m","max_output_tokens":1,"input":"x"})"
                                 : R"({"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}]})";
    EXPECT_TRUE(translation->request(body, transcoder(from.upstream), params, std::nullopt));
    (void)translation->begin_answer(plugin::TalkMode::stream);
    const auto give = [](std::string_view, std::string_view) {};
    Outcome out;
    const std::size_t before = heap();
    if (!from.first.empty()) {
        EXPECT_TRUE(translation->answer({}, from.first, framing::FrameKind::message, give));
    }
    std::size_t total = 0;
    for (std::size_t i = 1; total < said && out.failure.empty(); ++i) {
        const auto event = from.more(std::to_string(i));
        total += event.size();
        if (auto progress = translation->answer({}, event, framing::FrameKind::message, give); !progress)
            out.failure = progress.error().message;
    }
    const std::size_t after = heap();
    out.grown = after > before ? after - before : 0;
    return out;
}

TEST(Held, IsBoundedWhateverAnUpstreamHeapsUp) {
    for (const auto& one : hostile())
        for (const char* client : {chat, messages, responses}) {
            SCOPED_TRACE(std::string(one.upstream) + " says too many " + one.what + " to " + client);
            const auto found = stream(client, one);
            // A talk on each side; strings and lists grow by half as much again, or twice.
            EXPECT_LT(found.grown, 6 * bound);
            if (one.held || one.upstream == client) {
                const bool passes = client != std::string_view(responses) && !one.held;
                EXPECT_EQ(found.failure.empty(), passes && one.what != std::string_view("signatures")) << found.failure;
            }
            if (one.what == std::string_view("text") && client != std::string_view(responses)) {
                EXPECT_EQ(found.failure, "");
            }
        }
}

TEST(Held, IsGivenBackWithWhatItWasOf) {
    sdk::Held held;
    {
        std::vector<sdk::Held::Share> shares;
        for (const std::size_t n : {1u, 20u, 300u}) shares.emplace_back(held, n);
        EXPECT_EQ(held.bytes(), 321u);
        shares.erase(shares.begin() + 1);
        EXPECT_EQ(held.bytes(), 301u);
        shares.back().add(4000);
        shares.back().drop(300);
        EXPECT_EQ(held.bytes(), 4001u);
    }
    EXPECT_EQ(held.bytes(), 0u);
}

// An upstream that says what would be made gets no id twice, and costs no more for it.
TEST(CallIds, AreUnique) {
    sdk::Held held;
    sdk::CallIds ids(held);
    EXPECT_EQ(ids.take("c_x_1", "c_", "x"), "c_x_1");
    EXPECT_EQ(ids.take("", "c_", "x"), "c_x_2");
    EXPECT_EQ(ids.take("c_x_1", "c_", "x"), "c_x_3");
    EXPECT_EQ(ids.take("c_x_4", "c_", "x"), "c_x_4");
    EXPECT_EQ(ids.take("", "c_", "x"), "c_x_5");
    EXPECT_GT(held.bytes(), 25u);
}

} // namespace
