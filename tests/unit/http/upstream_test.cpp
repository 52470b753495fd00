#include "upstream_rig.h"

#include <gtest/gtest.h>

namespace wm::http {
namespace {

using namespace std::chrono_literals;
using testing::UpstreamRig;

struct Row {
    std::string answer;
    bool to_head;
    int status;
    std::string body;
    BodyPiece last; // once the upstream has ended its side
    bool reusable;
};

const Row answers[] = {
    {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", false, 200, "hello", BodyPiece::end, true},
    {"HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", false, 200, "", BodyPiece::end, true},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\nT: x\r\n\r\n", false, 200,
     "hello", BodyPiece::end, true},
    {"HTTP/1.1 200 OK\r\n\r\nhello", false, 200, "hello", BodyPiece::end, false},
    {"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello", false, 200, "hello", BodyPiece::end,
     false},
    {"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", false, 200, "hello", BodyPiece::end, false},
    {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", true, 200, "", BodyPiece::end, true},
    {"HTTP/1.1 204 No Content\r\n\r\n", false, 204, "", BodyPiece::end, true},
    {"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", false, 304, "", BodyPiece::end, true},
    {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: "
     "2\r\n\r\nok",
     false, 200, "ok", BodyPiece::end, true},
    {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloextra", false, 200, "hello", BodyPiece::end, false},
    {"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello", false, 200, "hello", BodyPiece::truncated, false},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", false, 200, "hello", BodyPiece::truncated,
     false},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX", false, 200, "hello", BodyPiece::bad, false},
};

TEST(Upstream, GivesEveryByteAsItComes) {
    for (const auto& row : answers)
        for (std::size_t split = 0; split <= row.answer.size(); split += split < 20 ? 5 : 1) {
            UpstreamRig rig;
            auto connection = rig.connect();
            auto upstream = rig.accept();
            upstream.say(row.answer.substr(0, split));
            const auto head = rig.start(connection->read_head(rig.head, 10s, row.to_head));
            rig.settle();
            if (!head->has_value()) upstream.say(row.answer.substr(split));
            const bool said_all = !head->has_value();
            ASSERT_EQ(rig.finish(head), HeadRead::ok) << row.answer << split;
            EXPECT_EQ(rig.head.status(), row.status);
            if (!said_all) { // what has come must not wait for the rest
                const auto first = rig.start(connection->read_some(rig.body, 10s));
                rig.settle();
                if (first->has_value() && **first != BodyPiece::more) {
                    EXPECT_EQ(**first, row.last) << row.answer << split;
                    EXPECT_EQ(rig.body, row.body);
                    continue;
                }
                upstream.say(row.answer.substr(split));
                upstream.end();
                const auto piece = rig.finish(first);
                if (piece != BodyPiece::more) {
                    EXPECT_EQ(piece, row.last) << row.answer << split;
                    EXPECT_EQ(rig.body, row.body);
                    continue;
                }
            } else
                upstream.end();
            EXPECT_EQ(rig.read_all(*connection), row.last) << row.answer << split;
            EXPECT_EQ(rig.body, row.body) << row.answer << split;
        }
}

TEST(Upstream, IsReusableOnlyWhenNothingIsLeft) {
    for (const auto& row : answers) {
        UpstreamRig rig;
        auto connection = rig.connect();
        auto upstream = rig.accept();
        EXPECT_FALSE(connection->reusable());
        ASSERT_EQ(rig.await(connection->send("GET / HTTP/1.1\r\nHost: h\r\n\r\n", 1s)), Io::ok);
        upstream.say(row.answer);
        ASSERT_EQ(rig.read_head(*connection, row.to_head), HeadRead::ok);
        if (row.last != BodyPiece::end || row.answer == answers[3].answer) upstream.end();
        EXPECT_EQ(rig.read_all(*connection), row.last) << row.answer;
        EXPECT_EQ(connection->reusable(), row.reusable) << row.answer;
        UpstreamConnection::give_back(std::move(connection));
        EXPECT_EQ(rig.pool->idle(), row.reusable ? 1u : 0u) << row.answer;
    }
}

TEST(Upstream, RefusesHeadsThatCannotBeTrusted) {
    std::string interim;
    for (int i = 0; i < 9; ++i) interim += "HTTP/1.1 102 Processing\r\n\r\n";
    for (const auto& answer :
         {std::string("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"),
          std::string("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"),
          std::string("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"), std::string("HTTP/1.1 200 OK\n\n"),
          std::string("SSH-2.0-x\r\n\r\n"), interim, "HTTP/1.1 200 OK\r\nA: " + std::string(70'000, 'a')}) {
        UpstreamRig rig;
        auto connection = rig.connect();
        auto upstream = rig.accept();
        upstream.say(answer);
        EXPECT_EQ(rig.read_head(*connection), HeadRead::bad) << answer.substr(0, 100);
        EXPECT_FALSE(connection->failure().empty());
        EXPECT_TRUE(connection->answered());
        EXPECT_FALSE(connection->reusable());
        EXPECT_EQ(rig.await(connection->read_some(rig.body, 1s)), BodyPiece::bad);
    }
}

TEST(Upstream, TellsAnEndBeforeTheAnswerFromOneWithinIt) {
    struct Case {
        std::string said;
        HeadRead expected;
    };
    for (const auto& [said, expected] : {Case{"", HeadRead::closed}, Case{"HTTP/1.1 2", HeadRead::failed},
                                         Case{"HTTP/1.1 100 Continue\r\n\r\n", HeadRead::failed}}) {
        UpstreamRig rig;
        auto connection = rig.connect();
        auto upstream = rig.accept();
        upstream.say(said);
        upstream.end();
        EXPECT_EQ(rig.read_head(*connection), expected) << said;
        EXPECT_EQ(connection->answered(), !said.empty());
    }
}

TEST(Upstream, GoesOnAfterATimeout) {
    UpstreamRig rig;
    auto connection = rig.connect();
    auto upstream = rig.accept();
    upstream.say("HTTP/1.1 200 OK\r\nContent-");
    const auto head = rig.start(connection->read_head(rig.head, 2s));
    rig.pass(1s);
    EXPECT_FALSE(head->has_value());
    upstream.say("Len"); // bytes do not prolong the wait for the head
    rig.pass(1500ms);
    EXPECT_EQ(rig.finish(head), HeadRead::timed_out);
    upstream.say("gth: 5\r\n\r\nhe");
    EXPECT_EQ(rig.read_head(*connection), HeadRead::ok);
    EXPECT_EQ(rig.await(connection->read_some(rig.body, 1s)), BodyPiece::more);
    EXPECT_EQ(rig.body, "he");
    const auto piece = rig.start(connection->read_some(rig.body, 1s));
    rig.pass(1500ms);
    EXPECT_EQ(rig.finish(piece), BodyPiece::timed_out);
    upstream.say("llo");
    EXPECT_EQ(rig.await(connection->read_some(rig.body, 1s)), BodyPiece::end);
    EXPECT_EQ(rig.body, "hello");
}

TEST(Upstream, IsCancelledWhereverItWaits) {
    UpstreamRig rig;
    auto connection = rig.connect();
    auto upstream = rig.accept();
    const auto head = rig.start(connection->read_head(rig.head, runtime::forever));
    rig.settle();
    rig.abort.fire();
    EXPECT_EQ(rig.finish(head), HeadRead::cancelled);
    EXPECT_EQ(rig.await(connection->send("x", 1s)), Io::cancelled);

    UpstreamRig reading;
    auto second = reading.connect();
    auto other = reading.accept();
    other.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
    ASSERT_EQ(reading.read_head(*second), HeadRead::ok);
    const auto piece = reading.start(second->read_some(reading.body, runtime::forever));
    reading.settle();
    reading.abort.fire();
    EXPECT_EQ(reading.finish(piece), BodyPiece::cancelled);

    UpstreamRig sending;
    auto third = sending.connect();
    auto silent = sending.accept();
    const std::string much(20'000'000, 'x');
    const auto sent = sending.start(third->send(much, runtime::forever));
    sending.settle();
    ASSERT_FALSE(sent->has_value());
    sending.abort.fire();
    EXPECT_EQ(sending.finish(sent), Io::cancelled);
    EXPECT_FALSE(third->reusable());
}

TEST(Upstream, AnswerBeforeTheRequestWasSentIsReadButNotReused) {
    UpstreamRig rig;
    auto connection = rig.connect();
    auto upstream = rig.accept();
    const std::string much(20'000'000, 'x');
    upstream.say("HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\nno");
    const auto sent = rig.start(connection->send(much, 1s));
    rig.pass(2s);
    EXPECT_EQ(rig.finish(sent), Io::timed_out);
    EXPECT_EQ(rig.read_head(*connection), HeadRead::ok);
    EXPECT_EQ(rig.read_all(*connection), BodyPiece::end);
    EXPECT_EQ(rig.head.status(), 413);
    EXPECT_FALSE(connection->reusable());
}

TEST(Upstream, GivesInterimHeadsToThoseWhoAsk) {
    UpstreamRig rig;
    auto connection = rig.connect();
    auto upstream = rig.accept();
    upstream.say("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n");
    ASSERT_EQ(rig.await(connection->next_head(rig.head, 10s)), HeadRead::ok);
    EXPECT_EQ(rig.head.status(), 103);
    EXPECT_EQ(rig.head.find("link"), "x");
    ASSERT_EQ(rig.await(connection->next_head(rig.head, 10s)), HeadRead::ok);
    EXPECT_EQ(rig.head.status(), 200);
    EXPECT_EQ(connection->read_ready(rig.body), BodyPiece::end);
    EXPECT_EQ(rig.body, "a");
    EXPECT_EQ(connection->trailers(), "X-Sum: 1\r\n");
    EXPECT_TRUE(connection->reusable());
}

TEST(Upstream, AfterASwitchItIsBytes) {
    UpstreamRig rig;
    auto connection = rig.connect();
    auto upstream = rig.accept();
    upstream.say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nraw");
    ASSERT_EQ(rig.await(connection->next_head(rig.head, 10s)), HeadRead::ok);
    EXPECT_EQ(rig.head.status(), 101);
    EXPECT_EQ(rig.await(connection->read_some(rig.body, 1s)), BodyPiece::more);
    EXPECT_EQ(rig.body, "raw");
    EXPECT_EQ(rig.await(connection->send("up", 1s)), Io::ok);
    EXPECT_EQ(upstream.take(), "up");
    connection->shutdown_send();
    rig.until([&] { return upstream.ended(); });
    upstream.end();
    EXPECT_EQ(rig.read_all(*connection), BodyPiece::end);
    EXPECT_FALSE(connection->reusable());
}

} // namespace
} // namespace wm::http
