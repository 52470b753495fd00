#include "server_rig.h"

#include <gtest/gtest.h>

namespace wm::http {
namespace {

using namespace std::chrono_literals;
using testing::ServerRig;

const std::string date = "Date: Tue, 14 Nov 2023 22:30:00 GMT\r\n"; // of a new ManualClock

struct Asked : ServerRig {
    explicit Asked(const std::string& line = "GET / HTTP/1.1", const std::string& fields = "", ServerLimits given = {})
        : ServerRig(given) {
        client.say(line + "\r\nHost: h\r\n" + fields + "\r\n");
        EXPECT_EQ(next(), Arrival::request);
    }
    bool begin(int status, std::optional<std::uint64_t> length = std::nullopt) {
        return connection.begin(status, {}, length);
    }
    Io send(std::string_view bytes) { return await(connection.send(bytes)); }
    Io finish_answer(std::string_view last = {}) { return await(connection.finish(last)); }
    bool keep() { return await(connection.keep()); }
};

TEST(Respond, WritesAWholeAnswer) {
    struct Row {
        std::string line, fields;
        int status;
        std::string heard;
        bool keep;
    };
    const std::string alive = "Connection: keep-alive\r\n", close = "Connection: close\r\n",
                      three = "Content-Length: 3\r\n";
    const std::string get = "GET / HTTP/1.1", head = "HEAD / HTTP/1.1", old = "GET / HTTP/1.0";
    const Row table[] = {
        {get, "", 200, "HTTP/1.1 200 OK\r\n" + date + three + "\r\nabc", true},
        {get, close, 200, "HTTP/1.1 200 OK\r\n" + date + three + close + "\r\nabc", false},
        {old, "", 200, "HTTP/1.1 200 OK\r\n" + date + three + close + "\r\nabc", false},
        {old, alive, 200, "HTTP/1.1 200 OK\r\n" + date + three + alive + "\r\nabc", true},
        {head, "", 200, "HTTP/1.1 200 OK\r\n" + date + three + "\r\n", true},
        {get, "", 204, "HTTP/1.1 204 No Content\r\n" + date + "\r\n", true},
        {get, "", 304, "HTTP/1.1 304 Not Modified\r\n" + date + "\r\n", true},
        {get, "", 599, "HTTP/1.1 599 \r\n" + date + three + "\r\nabc", true},
    };
    for (const auto& row : table) {
        Asked rig(row.line, row.fields);
        EXPECT_FALSE(rig.connection.begun());
        ASSERT_EQ(rig.respond(row.status, "abc"), Io::ok);
        EXPECT_EQ(rig.client.hear(), row.heard) << row.line;
        EXPECT_EQ(rig.respond(200, "again"), Io::failed);
        EXPECT_EQ(rig.keep(), row.keep) << row.line << row.fields;
    }
}

TEST(Respond, LeavesOutFieldsThatAreNotTheCallers) {
    Asked rig;
    const PairView fields[]{{"X-One", "1"},          {"Content-Length", "9"}, {"transfer-encoding", "chunked"},
                            {"Connection", "close"}, {"X-Bad", "a\r\nB: c"},  {"Bad Name", "x"},
                            {"Date", "today"}};
    ASSERT_EQ(rig.await(rig.connection.respond(200, fields, "")), Io::ok);
    EXPECT_EQ(rig.client.hear(), "HTTP/1.1 200 OK\r\nX-One: 1\r\nDate: today\r\nContent-Length: 0\r\n\r\n");
}

TEST(Respond, SaysCloseWhenAsked) {
    Asked rig;
    rig.connection.close_after_response();
    ASSERT_EQ(rig.respond(200, ""), Io::ok);
    EXPECT_NE(rig.client.hear().find("Connection: close\r\n"), std::string::npos);
    EXPECT_FALSE(rig.keep());
}

TEST(Respond, WaitsForASlowClient) {
    Asked rig;
    const std::string body(20'000'000, 'x');
    const auto answer = rig.start(rig.connection.respond(200, {}, body));
    rig.settle();
    EXPECT_FALSE(answer->has_value());
    EXPECT_TRUE(rig.connection.begun());
    rig.until([&] { return rig.client.hear().ends_with("x") && answer->has_value(); });
    EXPECT_EQ(**answer, Io::ok);
    rig.until([&] { return rig.client.hear().size() > body.size(); });
    EXPECT_TRUE(rig.keep());
}

TEST(Respond, GivesUpOnAClientThatDoesNotRead) {
    const std::string body(20'000'000, 'x');
    Asked idle;
    auto answer = idle.start(idle.connection.respond(200, {}, body));
    idle.pass(61s);
    EXPECT_EQ(idle.finish(answer), Io::timed_out);
    EXPECT_FALSE(idle.keep());

    Asked aborted;
    answer = aborted.start(aborted.connection.respond(200, {}, body));
    aborted.settle();
    aborted.abort.fire();
    EXPECT_EQ(aborted.finish(answer), Io::cancelled);
    EXPECT_FALSE(aborted.keep());

    Asked left;
    answer = left.start(left.connection.respond(200, {}, body));
    left.settle();
    left.client.leave();
    EXPECT_EQ(left.finish(answer), Io::failed);
    EXPECT_FALSE(left.keep());
}

TEST(Streaming, SendsChunks) {
    Asked rig;
    const PairView fields[]{{"Content-Type", "text/event-stream"}};
    ASSERT_TRUE(rig.connection.begin(200, fields, std::nullopt));
    EXPECT_FALSE(rig.begin(200));
    EXPECT_TRUE(rig.connection.begun());
    EXPECT_EQ(rig.client.hear(), ""); // the head waits for the first bytes
    ASSERT_EQ(rig.send("hello"), Io::ok);
    EXPECT_EQ(rig.client.take(), "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + date +
                                     "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
    ASSERT_EQ(rig.send(std::string(300, 'x')), Io::ok);
    EXPECT_EQ(rig.client.take(), "12c\r\n" + std::string(300, 'x') + "\r\n");
    ASSERT_EQ(rig.send(""), Io::ok);
    EXPECT_EQ(rig.client.take(), ""); // an empty chunk would end the answer
    ASSERT_EQ(rig.finish_answer("bye"), Io::ok);
    EXPECT_EQ(rig.client.take(), "3\r\nbye\r\n0\r\n\r\n");
    EXPECT_EQ(rig.connection.body_bytes_sent(), 308u);
    EXPECT_EQ(rig.send("late"), Io::failed);
    EXPECT_EQ(rig.finish_answer(), Io::failed);
    EXPECT_TRUE(rig.keep());
}

TEST(Streaming, FlushesTheHeadAlone) {
    Asked rig;
    ASSERT_TRUE(rig.begin(200));
    ASSERT_EQ(rig.await(rig.connection.flush()), Io::ok);
    EXPECT_TRUE(rig.client.take().ends_with("chunked\r\n\r\n"));
    ASSERT_EQ(rig.finish_answer(), Io::ok);
    EXPECT_EQ(rig.client.take(), "0\r\n\r\n");
}

TEST(Streaming, KeepsThePromisedLength) {
    Asked exact;
    ASSERT_TRUE(exact.begin(200, 5));
    ASSERT_EQ(exact.send("he"), Io::ok);
    ASSERT_EQ(exact.finish_answer("llo"), Io::ok);
    EXPECT_TRUE(exact.client.hear().ends_with("Content-Length: 5\r\n\r\nhello"));
    EXPECT_TRUE(exact.keep());

    Asked more;
    ASSERT_TRUE(more.begin(200, 5));
    EXPECT_EQ(more.send("hello!"), Io::failed);
    EXPECT_FALSE(more.keep());

    Asked less;
    ASSERT_TRUE(less.begin(200, 5));
    ASSERT_EQ(less.send("hell"), Io::ok);
    EXPECT_EQ(less.finish_answer(), Io::failed);
    EXPECT_FALSE(less.keep());
}

TEST(Streaming, ToHttp10EndsWithTheConnection) {
    Asked rig("GET / HTTP/1.0", "Connection: keep-alive\r\n");
    ASSERT_TRUE(rig.begin(200));
    ASSERT_EQ(rig.send("hello"), Io::ok);
    EXPECT_TRUE(rig.connection.post("more"));
    ASSERT_EQ(rig.finish_answer(), Io::ok);
    EXPECT_EQ(rig.client.hear(), "HTTP/1.1 200 OK\r\n" + date + "Connection: close\r\n\r\nhellomore");
    EXPECT_FALSE(rig.keep());
}

TEST(Streaming, WithoutABodySendsOnlyTheHead) {
    struct Row {
        std::string line;
        int status;
        std::optional<std::uint64_t> length;
        std::string heard;
    };
    const Row table[] = {
        {"HEAD / HTTP/1.1", 200, 9, "HTTP/1.1 200 OK\r\n" + date + "Content-Length: 9\r\n\r\n"},
        {"HEAD / HTTP/1.1", 200, std::nullopt, "HTTP/1.1 200 OK\r\n" + date + "\r\n"},
        {"GET / HTTP/1.1", 204, 9, "HTTP/1.1 204 No Content\r\n" + date + "\r\n"},
        {"GET / HTTP/1.1", 304, 9, "HTTP/1.1 304 Not Modified\r\n" + date + "Content-Length: 9\r\n\r\n"},
    };
    for (const auto& row : table) {
        Asked rig(row.line);
        ASSERT_TRUE(rig.begin(row.status, row.length));
        ASSERT_EQ(rig.send("dropped"), Io::ok);
        EXPECT_FALSE(rig.connection.post("dropped"));
        ASSERT_EQ(rig.finish_answer(), Io::ok);
        EXPECT_EQ(rig.client.hear(), row.heard) << row.line << row.status;
        EXPECT_EQ(rig.connection.body_bytes_sent(), 0u);
        EXPECT_TRUE(rig.keep()) << row.line << row.status;
    }
}

TEST(Streaming, AbandonedIsNotTerminated) {
    Asked rig;
    ASSERT_TRUE(rig.begin(200));
    ASSERT_EQ(rig.send("hello"), Io::ok);
    rig.connection.abandon();
    EXPECT_EQ(rig.send("more"), Io::failed);
    EXPECT_FALSE(rig.connection.post("more"));
    EXPECT_FALSE(rig.keep());
    rig.stream.reset();
    EXPECT_TRUE(rig.client.hear().ends_with("5\r\nhello\r\n"));
    EXPECT_TRUE(rig.client.ended());
}

TEST(Post, GoesOutWithoutWaiting) {
    Asked rig;
    EXPECT_FALSE(rig.connection.post(": early\n\n"));
    ASSERT_TRUE(rig.begin(200));
    EXPECT_TRUE(rig.connection.post(": one\n\n"));
    EXPECT_TRUE(rig.client.take().ends_with("chunked\r\n\r\n7\r\n: one\n\n\r\n")); // the head went along
    EXPECT_TRUE(rig.connection.post(": two\n\n"));
    EXPECT_EQ(rig.client.take(), "7\r\n: two\n\n\r\n");
    ASSERT_EQ(rig.finish_answer("x"), Io::ok);
    EXPECT_EQ(rig.client.take(), "1\r\nx\r\n0\r\n\r\n");
    EXPECT_EQ(rig.connection.body_bytes_sent(), 15u);
    EXPECT_FALSE(rig.connection.post(": late\n\n"));
}

TEST(Post, KeepsTheOrderBesideAParkedWrite) {
    Asked rig;
    const std::string big(8'000'000, 'x');
    ASSERT_TRUE(rig.begin(200));
    const auto sending = rig.start(rig.connection.send(big));
    rig.settle();
    ASSERT_FALSE(sending->has_value());
    EXPECT_TRUE(rig.connection.post("beat"));
    int kept = 0;
    while (rig.connection.post(std::string(1000, 'y'))) ++kept; // bounded while the client does not read
    EXPECT_LT(kept, 20);
    const auto sent = rig.connection.body_bytes_sent();
    rig.until([&] { return rig.client.hear().size() > sent && sending->has_value(); });
    ASSERT_EQ(rig.finish_answer("end"), Io::ok);
    rig.until([&] { return rig.client.hear().ends_with("0\r\n\r\n"); });

    const auto& heard = rig.client.hear();
    runtime::Buffer in;
    in.append(std::string_view(heard).substr(heard.find("\r\n\r\n") + 4));
    BodyDecoder body(Framing::chunked, 0);
    std::string out;
    ASSERT_EQ(body.feed(in, out), Step::done);
    EXPECT_EQ(out, big + "beat" + std::string(std::size_t(kept) * 1000, 'y') + "end");
    EXPECT_EQ(rig.connection.body_bytes_sent(), out.size());
}

TEST(Interim, GoesBeforeTheAnswerAndKeepsOutOfTheHopsFields) {
    Asked rig;
    const PairView fields[]{{"Link", "</a>"}, {"Connection", "x"}, {"X-Bad", "a\r\nb"}};
    ASSERT_EQ(rig.await(rig.connection.interim(103, fields)), Io::ok);
    EXPECT_EQ(rig.client.take(), "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
    EXPECT_FALSE(rig.connection.begun());
    ASSERT_EQ(rig.respond(200, ""), Io::ok);
    EXPECT_EQ(rig.await(rig.connection.interim(103, fields)), Io::failed);

    Asked old("GET / HTTP/1.0");
    ASSERT_EQ(old.await(old.connection.interim(103, fields)), Io::ok);
    EXPECT_EQ(old.client.take(), "");
}

TEST(Streaming, TrailersFollowChunksOnly) {
    const PairView trailers[]{{"X-Sum", "1"}};
    Asked rig;
    ASSERT_TRUE(rig.begin(200));
    ASSERT_EQ(rig.await(rig.connection.finish("a", trailers)), Io::ok);
    EXPECT_TRUE(rig.client.take().ends_with("1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n"));
    Asked plain;
    ASSERT_TRUE(plain.begin(200, 1));
    ASSERT_EQ(plain.await(plain.connection.finish("a", trailers)), Io::ok);
    EXPECT_TRUE(plain.client.take().ends_with("\r\n\r\na"));
}

TEST(Switch, TheConnectionIsBytesFromThere) {
    Asked rig("GET / HTTP/1.1", "Connection: Upgrade\r\nUpgrade: x\r\n");
    rig.client.say("early");
    const PairView fields[]{{"Upgrade", "x"}};
    ASSERT_EQ(rig.await(rig.connection.switch_protocols(fields)), Io::ok);
    EXPECT_EQ(rig.client.take(), "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
    std::string heard;
    EXPECT_EQ(rig.await(rig.connection.read_some(heard, 1s, rig.abort)), BodyPiece::more);
    EXPECT_EQ(heard, "early");
    ASSERT_EQ(rig.send("raw"), Io::ok);
    EXPECT_EQ(rig.client.take(), "raw");
    rig.connection.end_sending();
    rig.until([&] { return rig.client.ended(); });
    rig.client.end();
    EXPECT_EQ(rig.await(rig.connection.read_some(heard, 1s, rig.abort)), BodyPiece::end);
    EXPECT_EQ(rig.finish_answer(), Io::ok);
    EXPECT_FALSE(rig.keep());
}

} // namespace
} // namespace wm::http
