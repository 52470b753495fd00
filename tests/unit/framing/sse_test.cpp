#include "base/random.h"
#include "framing/sse.h"

#include <gtest/gtest.h>

#include <vector>

namespace wm::framing {
namespace {

struct Event {
    std::string name, data;
    bool comment_only, complete;
    bool operator==(const Event&) const = default;
};

void PrintTo(const Event& e, std::ostream* out) {
    *out << '{' << e.name << '|' << e.data << '|' << e.comment_only << e.complete << '}';
}

struct Framed {
    std::vector<Event> events; // without rests that are blank lines only: where they go depends on the reads
    std::string raw;
    bool oversized = false;
};

Framed frame(const std::vector<std::string_view>& pieces, std::size_t cap = 1 << 20) {
    SseFramer framer(cap);
    Framed got;
    Frame event;
    const auto take = [&] {
        EXPECT_FALSE(event.raw.empty());
        got.raw += event.raw;
        got.oversized |= event.oversized;
        const bool blank = event.raw.find_first_not_of("\r\n") == event.raw.npos;
        if (!blank && !event.oversized)
            got.events.push_back(
                {std::string(event.name), std::string(event.data), event.comment_only, event.complete});
    };
    for (const auto piece : pieces) {
        framer.feed(piece);
        while (framer.next(event)) take();
    }
    if (framer.finish(event)) take();
    EXPECT_FALSE(framer.finish(event));
    return got;
}

struct Row {
    std::string stream;
    std::vector<Event> events;
};

const std::vector<Row> table{
    {"", {}},
    {"data: a\n\n", {{"", "a", false, true}}},
    {"data: a\r\n\r\n", {{"", "a", false, true}}},
    {"data: a\r\r", {{"", "a", false, true}}},
    {"data: a\r\n\rdata: b\n\r\n", {{"", "a", false, true}, {"", "b", false, true}}},
    {"event: ping\ndata: {}\n\nevent: pong\ndata:{}\n\n", {{"ping", "{}", false, true}, {"pong", "{}", false, true}}},
    {"data: a\ndata: b\ndata:\ndata:  c\n\n", {{"", "a\nb\n\n c", false, true}}},
    {"data\n\n", {{"", "", false, true}}},
    {"data:\n\n", {{"", "", false, true}}},
    {"data\ndata\n\n", {{"", "\n", false, true}}},
    {": heartbeat\n\n", {{"", "", true, true}}},
    {": a\n: b\ndata: c\n\n", {{"", "c", false, true}}},
    {":\n\ndata: x\n\n", {{"", "", true, true}, {"", "x", false, true}}},
    {"event: only\n\ndata: x\n\n", {{"only", "", true, true}, {"", "x", false, true}}},
    {"event: a\nevent: b\ndata: x\n\n", {{"b", "x", false, true}}},
    {"event: a\nevent\ndata: x\n\n", {{"", "x", false, true}}},
    {"id: 1\nretry: 5\nother: y\ndata: x\n\n", {{"", "x", false, true}}},
    {"Data: no\ndata : no\n data: no\ndata: x\n\n", {{"", "x", false, true}}},
    {"\xEF\xBB\xBF"
     "data: a\n\ndata: b\n\n",
     {{"", "a", false, true}, {"", "b", false, true}}},
    {"\xEF\xBB\xBF\n\ndata: a\n\n", {{"", "a", false, true}}},
    {"data: a\n\n\xEF\xBB\xBF"
     "data: b\n\n",
     {{"", "a", false, true}, {"", "", true, true}}},
    {"\n\n\r\n\rdata: a\n\n\n\n\n", {{"", "a", false, true}}},
    {"data: a: b:c\n\n", {{"", "a: b:c", false, true}}},
    {"data: unfinished", {{"", "unfinished", false, false}}},
    {"data: unfinished\n", {{"", "unfinished", false, false}}},
    {"data: a\n\nevent: x\ndata: b\r", {{"", "a", false, true}, {"x", "b", false, false}}},
    {"data: [DONE]\r\n\r\n", {{"", "[DONE]", false, true}}},
    {std::string("data: a\0b\n\n", 11), {{"", std::string("a\0b", 3), false, true}}},
};

TEST(SseFramer, GivesTheSameEventsHoweverTheBytesCome) {
    for (const auto& [stream, events] : table) {
        const auto check = [&, &text = stream, &expected = events](const Framed& got, const std::string& how) {
            EXPECT_EQ(got.events, expected) << text << ' ' << how;
            EXPECT_EQ(got.raw, text) << how;
            EXPECT_FALSE(got.oversized);
        };
        const std::string_view all = stream;
        for (std::size_t i = 0; i <= all.size(); ++i)
            for (std::size_t j = i; j <= all.size(); ++j)
                check(frame({all.substr(0, i), all.substr(i, j - i), all.substr(j)}),
                      "split at " + std::to_string(i) + " and " + std::to_string(j));
        std::vector<std::string_view> single;
        for (std::size_t i = 0; i < all.size(); ++i) single.push_back(all.substr(i, 1));
        check(frame(single), "byte by byte");
    }
}

TEST(SseFramer, GivesTheSameEventsForAnyStreamAndAnySplit) {
    Random random(1);
    constexpr std::string_view parts[]{"data: x", "data:", "data",     "event: e", ":c",           "\n", "\r",
                                       "\r\n",    "\n\n",  "\r\n\r\n", "id: 1",    "\xEF\xBB\xBF", ":",  " "};
    for (int round = 0; round < 3000; ++round) {
        std::string stream;
        for (auto n = random.between(0, 20); n > 0; --n)
            stream += parts[std::size_t(random.between(0, std::size(parts) - 1))];
        const std::string_view all = stream;
        const auto whole = frame({all});
        EXPECT_EQ(whole.raw, stream);
        std::vector<std::string_view> pieces;
        for (std::size_t at = 0; at < all.size();) {
            const auto n = std::size_t(random.between(1, 6));
            pieces.push_back(all.substr(at, n));
            at += n;
        }
        const auto split = frame(pieces);
        ASSERT_EQ(split.events, whole.events) << stream;
        ASSERT_EQ(split.raw, stream);
        ASSERT_EQ(frame(pieces, 8).raw, stream); // a cap loses no byte either
        ASSERT_EQ(frame({all}, 8).raw, stream);
    }
}

TEST(SseFramer, GivesAnEventThatACrEndsAtOnce) {
    SseFramer framer;
    Frame event;
    framer.feed("data: a\r\n\r");
    ASSERT_TRUE(framer.next(event));
    EXPECT_EQ(event.raw, "data: a\r\n\r");
    EXPECT_EQ(event.data, "a");
    EXPECT_FALSE(framer.next(event));
    framer.feed("\n");
    EXPECT_FALSE(framer.next(event));
    framer.feed("data: b\r\n\r\n");
    ASSERT_TRUE(framer.next(event));
    EXPECT_EQ(event.raw, "\ndata: b\r\n\r\n");
    EXPECT_EQ(event.data, "b");
    EXPECT_FALSE(framer.next(event));
    EXPECT_EQ(framer.held(), 0u);
}

TEST(SseFramer, PassesOnAnEventAboveTheCapAndResumes) {
    const std::string big(100, 'x');
    const std::string stream = "data: a\n\ndata: " + big + "\ndata: more\n\ndata: b\n\n";
    for (std::size_t step = 1; step < 40; ++step) {
        SseFramer framer(50);
        Frame event;
        std::string raw;
        std::vector<std::string> data;
        int ended = 0;
        for (std::size_t at = 0; at < stream.size(); at += step) {
            framer.feed(std::string_view(stream).substr(at, step));
            while (framer.next(event)) {
                raw += event.raw;
                if (!event.oversized)
                    data.emplace_back(event.data);
                else {
                    EXPECT_TRUE(event.data.empty());
                    ended += event.complete;
                }
            }
            EXPECT_LE(framer.held(), 50u + step);
        }
        EXPECT_EQ(raw, stream) << step;
        EXPECT_EQ(data, (std::vector<std::string>{"a", "b"})) << step;
        EXPECT_EQ(ended, 1) << step;
    }
    EXPECT_TRUE(frame({stream}, 50).oversized); // in one read, too
}

TEST(SseWriter, WritesWhatTheFramerReads) {
    struct Given {
        const char *name, *data, *written;
    };
    const Given given[] = {
        {"", "x", "data: x\n\n"},
        {"e", "x", "event: e\ndata: x\n\n"},
        {"", "a\nb\r\nc\rd", "data: a\ndata: b\ndata: c\ndata: d\n\n"},
        {"", "", "data: \n\n"},
        {"", "a\n", "data: a\ndata: \n\n"},
        {"e\ndata: forged", "x", "event: e\ndata: x\n\n"},
    };
    for (const auto& [name, data, written] : given) {
        std::string out;
        append_sse(out, name, data);
        EXPECT_EQ(out, written);
        const auto read = frame({out});
        ASSERT_EQ(read.events.size(), 1u) << out;
    }
}

} // namespace
} // namespace wm::framing
