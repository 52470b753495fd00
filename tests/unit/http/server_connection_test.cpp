#include "server_rig.h"

#include <gtest/gtest.h>

namespace wm::http {
namespace {

using namespace std::chrono_literals;
using testing::ServerRig;

const std::string get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";

TEST(ServerConnection, AnswersPipelinedRequestsInOrder) {
    ServerRig rig;
    rig.client.say("POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
                   "POST /2 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ndef\r\n0\r\n\r\n"
                   "GET /3 HTTP/1.1\r\nHost: h\r\n\r\n");
    for (const std::string path : {"/1", "/2", "/3"}) {
        ASSERT_EQ(rig.next(), Arrival::request) << path;
        EXPECT_EQ(rig.head.path(), path);
        std::string body;
        ASSERT_EQ(rig.await(rig.connection.read_body(body, 100)), BodyRead::ok) << path;
        EXPECT_EQ(body, path == "/1" ? "abc" : path == "/2" ? "def" : "");
        EXPECT_EQ(rig.connection.body_bytes_received(), body.size());
        ASSERT_EQ(rig.respond(200, path), Io::ok);
        ASSERT_TRUE(rig.await(rig.connection.keep())) << path;
        const auto heard = rig.client.take();
        EXPECT_EQ(heard.substr(heard.size() - 2), path); // nothing of the next answer
    }
}

TEST(ServerConnection, ReadsAHeadHoweverItComes) {
    for (std::size_t split = 1; split < get.size(); ++split) {
        ServerRig rig;
        rig.client.say(get.substr(0, split));
        const auto arrival = rig.start(rig.connection.next(rig.head));
        rig.settle();
        EXPECT_FALSE(arrival->has_value()) << split;
        rig.client.say(get.substr(split));
        EXPECT_EQ(rig.finish(arrival), Arrival::request) << split;
        EXPECT_EQ(rig.head.path(), "/a") << split;
    }
}

TEST(ServerConnection, ForgivesOneEmptyLineBeforeARequest) {
    for (const std::size_t split : {0, 1, 2, 3}) {
        ServerRig rig;
        const auto text = "\r\n" + get;
        const auto arrival = rig.start(rig.connection.next(rig.head));
        rig.client.say(text.substr(0, split));
        rig.settle();
        rig.client.say(text.substr(split));
        EXPECT_EQ(rig.finish(arrival), Arrival::request) << split;
    }
    ServerRig rig;
    rig.client.say("\r\n\r\n" + get);
    EXPECT_EQ(rig.next(), Arrival::refused);
    EXPECT_EQ(rig.connection.refusal().status, 400);
}

TEST(ServerConnection, RefusesAndCloses) {
    struct Row {
        std::string bytes;
        int status;
    };
    const Row table[] = {
        {"GET / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\n", 400},
        {"GET / HTTP/3.0\r\nHost: h\r\n\r\n", 505},
        {"GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
        {"GET /" + std::string(20'000, 'a'), 414},
        {"GET / HTTP/1.1\r\nHost: h\r\nA: " + std::string(70'000, 'a'), 431},
        {"\x16\x03\x01\x02\n", 400}, // TLS to a plain port
    };
    for (const auto& [bytes, status] : table) {
        ServerRig rig;
        rig.client.say(bytes);
        ASSERT_EQ(rig.next(), Arrival::refused) << status;
        EXPECT_EQ(rig.connection.refusal().status, status);
        ASSERT_EQ(rig.respond(status, "no"), Io::ok);
        const auto keep = rig.start(rig.connection.keep());
        rig.until([&] { return rig.client.ended(); });
        EXPECT_NE(rig.client.hear().find("Connection: close\r\n"), std::string::npos);
        EXPECT_TRUE(rig.client.hear().ends_with("\r\n\r\nno"));
        rig.client.leave();
        EXPECT_FALSE(rig.finish(keep));
    }
}

TEST(ServerConnection, LetsGoOfAnIdleClientWithoutAWord) {
    ServerRig rig;
    rig.client.say(get);
    ASSERT_EQ(rig.next(), Arrival::request);
    ASSERT_EQ(rig.respond(204, ""), Io::ok);
    ASSERT_TRUE(rig.await(rig.connection.keep()));
    rig.client.take();
    const auto arrival = rig.start(rig.connection.next(rig.head));
    rig.pass(74s);
    EXPECT_FALSE(arrival->has_value());
    rig.pass(2s);
    EXPECT_EQ(rig.finish(arrival), Arrival::closed);
    EXPECT_EQ(rig.client.hear(), "");
}

// Who only connects is no kept connection: its first request has as long as its head.
TEST(ServerConnection, LetsGoOfAClientThatNeverSpoke) {
    ServerRig rig;
    const auto arrival = rig.start(rig.connection.next(rig.head));
    rig.pass(9s);
    EXPECT_FALSE(arrival->has_value());
    rig.pass(2s);
    EXPECT_EQ(rig.finish(arrival), Arrival::closed);
    EXPECT_EQ(rig.client.hear(), "");
}

TEST(ServerConnection, NoticesAClientThatLeaves) {
    for (const std::string said : {"", "GET / HT", "\r\n"}) {
        ServerRig rig;
        const auto arrival = rig.start(rig.connection.next(rig.head));
        rig.client.say(said);
        rig.settle();
        rig.client.leave();
        EXPECT_EQ(rig.finish(arrival), Arrival::closed) << said;
    }
}

TEST(ServerConnection, BoundsTheWholeHeadNotEachRead) {
    ServerRig rig;
    const auto arrival = rig.start(rig.connection.next(rig.head));
    rig.pass(9s); // counts for itself
    for (int second = 0; second < 9; ++second) {
        rig.client.say(get.substr(std::size_t(second), 1));
        rig.pass(1s);
        ASSERT_FALSE(arrival->has_value()) << second;
    }
    rig.client.say(get.substr(9, 1));
    rig.pass(2s);
    EXPECT_EQ(rig.finish(arrival), Arrival::refused);
    EXPECT_EQ(rig.connection.refusal().status, 408);
}

TEST(ServerConnection, SaysNothingToAClientThatSentOnlyAnEmptyLine) {
    ServerRig rig;
    const auto arrival = rig.start(rig.connection.next(rig.head));
    rig.client.say("\r\n");
    rig.pass(11s);
    EXPECT_EQ(rig.finish(arrival), Arrival::closed);
}

TEST(ServerConnection, IsCancelledWhereverItWaits) {
    for (const std::string said : {"", "GET / HT"}) {
        ServerRig rig;
        const auto arrival = rig.start(rig.connection.next(rig.head));
        rig.client.say(said);
        rig.settle();
        rig.abort.fire();
        EXPECT_EQ(rig.finish(arrival), Arrival::cancelled) << said;
    }
}

TEST(ServerConnection, AbortsWhenAWatchedClientLeaves) {
    ServerRig rig;
    rig.client.say(get);
    ASSERT_EQ(rig.next(), Arrival::request);
    rig.connection.watch_client(true);
    rig.settle();
    EXPECT_FALSE(rig.abort.fired());
    rig.client.leave();
    rig.until([&] { return rig.abort.fired(); });
    EXPECT_FALSE(rig.await(rig.connection.keep()));
}

} // namespace
} // namespace wm::http
