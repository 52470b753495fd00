#include "server_rig.h"

#include <gtest/gtest.h>

namespace wm::http {
namespace {

using namespace std::chrono_literals;
using testing::ServerRig;

std::string post(const std::string& fields, const std::string& body = "") {
    return "POST / HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n" + body;
}
const std::string chunked = "Transfer-Encoding: chunked\r\n";

struct BodyRig : ServerRig {
    explicit BodyRig(const std::string& request, ServerLimits given = {}) : ServerRig(given) {
        client.say(request);
        EXPECT_EQ(next(), Arrival::request);
    }
    BodyRead read(std::uint64_t max) { return await(connection.read_body(body, max)); }
    testing::Pending<BodyRead> reading(std::uint64_t max) { return start(connection.read_body(body, max)); }
    std::string body;
};

TEST(ServerBody, IsTheSameAtEverySplit) {
    for (const auto& request :
         {post("Content-Length: 5\r\n", "hello"), post(chunked, "2\r\nhe\r\n3\r\nllo\r\n0\r\nT: x\r\n\r\n")})
        for (auto split = request.find("\r\n\r\n") + 4; split <= request.size(); ++split) {
            BodyRig rig(request.substr(0, split));
            const auto read = rig.reading(5);
            rig.settle();
            if (split < request.size()) {
                rig.client.say(request.substr(split));
            }
            EXPECT_EQ(rig.finish(read), BodyRead::ok) << split;
            EXPECT_EQ(rig.body, "hello") << split;
        }
}

TEST(ServerBody, IsRefusedAtOnceByItsLength) {
    BodyRig rig(post("Content-Length: 6\r\nExpect: 100-continue\r\n"));
    EXPECT_EQ(rig.read(5), BodyRead::too_large);
    EXPECT_EQ(rig.client.hear(), ""); // no 100 Continue for what will not be read
    EXPECT_EQ(rig.body, "");
}

TEST(ServerBody, IsRefusedWhereAChunkSaysThatTheLimitIsPassed) {
    for (const auto size : {"1", "7fffffff", "7ffffffffffffff"}) {
        BodyRig rig(post(chunked, std::string("5\r\nhello\r\n") + size + "\r\n"));
        EXPECT_EQ(rig.read(5), BodyRead::too_large) << size; // without waiting for a byte of it
        EXPECT_EQ(rig.body, "hello");
    }
}

TEST(ServerBody, IsRefusedWhereAllBodiesTogetherHoldTooMuch) {
    HeldBytes all;
    HeldBytes::Share other(all, 150'000);
    ASSERT_TRUE(other.hold(70'000));
    const auto read = [&](const std::string& request) {
        BodyRig rig(request);
        HeldBytes::Share share(all, 150'000);
        const auto outcome = rig.await(rig.connection.read_body(rig.body, 1 << 20, &share));
        EXPECT_TRUE(outcome != BodyRead::ok || rig.body.size() <= HeldBytes::small || all.held() >= rig.body.size());
        return outcome;
    };
    EXPECT_EQ(read(post("Content-Length: 90000\r\n", std::string(70'000, 'x'))), BodyRead::crowded);
    EXPECT_EQ(all.held(), 70'000u); // what did not fit is not counted
    EXPECT_EQ(read(post("Content-Length: 5\r\n", "small")), BodyRead::ok);
    EXPECT_FALSE(other.hold(150'001));
    other.release();
    EXPECT_EQ(read(post("Content-Length: 90000\r\n", std::string(90'000, 'x'))), BodyRead::ok);
    EXPECT_EQ(all.held(), 0u);
}

TEST(ServerBody, HoldsWhatHasComeNotWhatWasPromised) {
    HeldBytes all;
    HeldBytes::Share share(all, 150'000);
    BodyRig rig(post("Content-Length: 1000000\r\n", "the first of it"));
    const auto read = rig.start(rig.connection.read_body(rig.body, 1 << 20, &share));
    rig.settle();
    EXPECT_FALSE(read->has_value());
    EXPECT_EQ(all.held(), 0u);
    rig.client.leave();
    EXPECT_EQ(rig.finish(read), BodyRead::closed);
}

TEST(ServerBody, MayBeUnbounded) {
    BodyRig rig(post("Content-Length: 5\r\n", "hello"));
    EXPECT_EQ(rig.read(UINT64_MAX), BodyRead::ok);
    EXPECT_EQ(rig.body, "hello");
}

TEST(ServerBody, IsInvitedOnlyWhenItIsRead) {
    for (const auto& framing : {std::string("Content-Length: 5\r\n"), chunked}) {
        BodyRig rig(post(framing + "Expect: 100-continue\r\n"));
        rig.settle();
        EXPECT_EQ(rig.client.hear(), "");
        const auto read = rig.reading(5);
        rig.settle();
        EXPECT_EQ(rig.client.take(), "HTTP/1.1 100 Continue\r\n\r\n");
        rig.client.say(framing == chunked ? "5\r\nhello\r\n0\r\n\r\n" : "hello");
        EXPECT_EQ(rig.finish(read), BodyRead::ok);
        ASSERT_EQ(rig.respond(200, ""), Io::ok);
        EXPECT_TRUE(rig.await(rig.connection.keep()));
    }
    BodyRig eager(post("Content-Length: 5\r\nExpect: 100-continue\r\n", "hello")); // did not wait for it
    EXPECT_EQ(eager.read(5), BodyRead::ok);
    EXPECT_EQ(eager.client.hear(), "");
}

TEST(ServerBody, WithoutInvitationEndsTheConnection) {
    BodyRig rig(post("Content-Length: 5\r\nExpect: 100-continue\r\n"));
    ASSERT_EQ(rig.respond(401, "no"), Io::ok);
    EXPECT_NE(rig.client.hear().find("Connection: close\r\n"), std::string::npos);
    rig.client.leave();
    EXPECT_FALSE(rig.await(rig.connection.keep()));
}

TEST(ServerBody, WithBrokenChunksIsBad) {
    BodyRig rig(post(chunked, "5\r\nhelloX"));
    EXPECT_EQ(rig.read(100), BodyRead::bad);
    EXPECT_EQ(rig.connection.refusal().status, 400);
    ASSERT_EQ(rig.respond(400, ""), Io::ok);
    EXPECT_NE(rig.client.hear().find("Connection: close\r\n"), std::string::npos);
    rig.client.leave();
    EXPECT_FALSE(rig.await(rig.connection.keep()));
}

TEST(ServerBody, ThatEndsEarlyIsClosed) {
    for (const auto& start : {post("Content-Length: 5\r\n", "hel"), post(chunked, "5\r\nhel")}) {
        BodyRig rig(start);
        const auto read = rig.reading(5);
        rig.settle();
        rig.client.end();
        EXPECT_EQ(rig.finish(read), BodyRead::closed);
    }
}

TEST(ServerBody, HasADeadlineForEachReadAndForAll) {
    BodyRig stalled(post("Content-Length: 500\r\n", "x"));
    auto read = stalled.reading(500);
    stalled.pass(29s);
    EXPECT_FALSE(read->has_value());
    stalled.pass(2s);
    EXPECT_EQ(stalled.finish(read), BodyRead::timed_out);
    EXPECT_EQ(stalled.connection.refusal().status, 408);

    ServerLimits limits;
    limits.body_timeout = 60s;
    BodyRig dripping(post("Content-Length: 500\r\n", "x"), limits);
    read = dripping.reading(500);
    for (int i = 0; i < 5; ++i) {
        dripping.pass(11s);
        ASSERT_FALSE(read->has_value()) << i;
        dripping.client.say("x");
    }
    dripping.pass(6s);
    EXPECT_EQ(dripping.finish(read), BodyRead::timed_out);
}

TEST(ServerBody, IsCancelled) {
    BodyRig rig(post("Content-Length: 5\r\n", "hel"));
    const auto read = rig.reading(5);
    rig.settle();
    rig.abort.fire();
    EXPECT_EQ(rig.finish(read), BodyRead::cancelled);
}

TEST(ServerBody, UnreadAndSmallIsDrainedForTheNextRequest) {
    for (const auto& first : {post("Content-Length: 5\r\n", "hello"), post(chunked, "5\r\nhello\r\n0\r\n\r\n")})
        for (const auto split : {first.size(), first.size() - 3}) {
            BodyRig rig(first.substr(0, split));
            ASSERT_EQ(rig.respond(401, ""), Io::ok);
            EXPECT_EQ(rig.client.hear().find("Connection: close"), std::string::npos);
            const auto keep = rig.start(rig.connection.keep());
            rig.settle();
            EXPECT_EQ(keep->has_value(), split == first.size());
            rig.client.say(first.substr(split) + post(""));
            EXPECT_TRUE(rig.finish(keep));
            EXPECT_EQ(rig.next(), Arrival::request);
        }
}

TEST(ServerBody, UnreadIsDrainedForABoundedTimeAndSize) {
    BodyRig slow(post("Content-Length: 5\r\n", "hel"));
    ASSERT_EQ(slow.respond(401, ""), Io::ok);
    auto keep = slow.start(slow.connection.keep());
    slow.pass(900ms);
    EXPECT_FALSE(keep->has_value());
    EXPECT_FALSE(slow.client.ended());
    slow.pass(300ms); // given up: the sending side ends, then a while of lingering
    EXPECT_TRUE(slow.client.ended());
    slow.pass(3s);
    EXPECT_FALSE(slow.finish(keep));

    ServerLimits limits;
    limits.drain_bytes = 1000;
    std::string much = post(chunked);
    for (int i = 0; i < 20; ++i) much += "64\r\n" + std::string(100, 'x') + "\r\n";
    BodyRig big(much, limits);
    ASSERT_EQ(big.respond(401, ""), Io::ok);
    keep = big.start(big.connection.keep());
    big.until([&] { return big.client.ended(); });
    big.client.leave();
    EXPECT_FALSE(big.finish(keep));
}

TEST(ServerBody, RefusedWhileItIsSentStillSeesTheAnswer) {
    BodyRig rig(post("Content-Length: 10000000\r\n"));
    ASSERT_EQ(rig.read(1000), BodyRead::too_large);
    ASSERT_EQ(rig.respond(413, "too large"), Io::ok);
    const auto keep = rig.start(rig.connection.keep());
    const std::string piece(50'000, 'x');
    std::size_t sent = 0;
    while (sent < 10'000'000 && !keep->has_value()) {
        sent += rig.client.say_some(piece) ? piece.size() : 0;
        rig.settle();
    }
    EXPECT_GE(sent, 10'000'000u);
    rig.until([&] { return rig.client.ended(); });
    EXPECT_FALSE(rig.client.reset());
    EXPECT_NE(rig.client.hear().find("HTTP/1.1 413 Content Too Large\r\n"), std::string::npos);
    EXPECT_NE(rig.client.hear().find("Connection: close\r\n"), std::string::npos);
    rig.client.leave();
    EXPECT_FALSE(rig.finish(keep));
}

TEST(ServerBody, RefusedAndEndlessIsCutOff) {
    ServerLimits limits;
    limits.linger_bytes = 200'000;
    BodyRig rig(post("Content-Length: 1000000000\r\n"), limits);
    ASSERT_EQ(rig.respond(413, ""), Io::ok);
    const auto keep = rig.start(rig.connection.keep());
    const std::string piece(50'000, 'x');
    for (int i = 0; i < 100 && !keep->has_value(); ++i) {
        rig.client.say_some(piece);
        rig.settle();
    }
    EXPECT_FALSE(rig.finish(keep));

    BodyRig silent(post("Content-Length: 1000000000\r\n"), limits);
    ASSERT_EQ(silent.respond(413, ""), Io::ok);
    const auto other = silent.start(silent.connection.keep());
    silent.pass(1900ms);
    EXPECT_FALSE(other->has_value());
    silent.pass(300ms);
    EXPECT_FALSE(silent.finish(other));
}

TEST(ServerBody, LingeringAndDrainingAreCancelled) {
    for (const auto& request : {post("Content-Length: 5\r\n", "hel"), post("Content-Length: 1000000000\r\n")}) {
        BodyRig rig(request);
        ASSERT_EQ(rig.respond(413, ""), Io::ok);
        const auto keep = rig.start(rig.connection.keep());
        rig.settle();
        EXPECT_FALSE(keep->has_value());
        rig.abort.fire();
        EXPECT_FALSE(rig.finish(keep));
    }
}

TEST(ServerBody, InPiecesItGivesEveryByteAsItComes) {
    struct Row {
        std::string fields, body, payload, trailers;
        BodyPiece last; // once the client has ended its side
    };
    const std::string in_chunks = "Transfer-Encoding: chunked\r\n";
    const Row rows[] = {
        {"Content-Length: 5\r\n", "hello", "hello", "", BodyPiece::end},
        {"Content-Length: 6\r\n", "hello", "hello", "", BodyPiece::truncated},
        {in_chunks, "2\r\nhe\r\n3\r\nllo\r\n0\r\nX-Sum: 1\r\nB:  2 \r\n\r\n", "hello", "X-Sum: 1\r\nB:  2 \r\n",
         BodyPiece::end},
        {in_chunks, "5\r\nhello\r\n0\r\n", "hello", "", BodyPiece::truncated},
        {in_chunks, "5\r\nhelloX", "hello", "", BodyPiece::bad},
    };
    for (const auto& row : rows)
        for (std::size_t split = 0; split <= row.body.size(); ++split) {
            BodyRig rig(post(row.fields, row.body.substr(0, split)));
            std::string payload;
            const auto early = rig.connection.read_ready(payload);
            EXPECT_TRUE(early == BodyPiece::more || early == row.last) << row.body << split;
            rig.client.say(row.body.substr(split));
            rig.client.end();
            auto piece = early;
            while (piece == BodyPiece::more) piece = rig.await(rig.connection.read_some(payload, 1s, rig.abort));
            EXPECT_EQ(piece, row.last) << row.body << split;
            EXPECT_EQ(payload, row.payload) << row.body << split;
            EXPECT_EQ(rig.connection.trailers(),
                      piece == BodyPiece::end ? row.trailers : std::string(rig.connection.trailers()));
            EXPECT_EQ(rig.connection.body_bytes_received(), payload.size());
        }
}

TEST(ServerBody, InPiecesItWaitsUntilItsOwnAbortFires) {
    BodyRig rig(post("Content-Length: 5\r\n"));
    runtime::Abort part(rig.loop);
    std::string payload;
    const auto reading = rig.start(rig.connection.read_some(payload, 10s, part));
    rig.settle();
    part.fire();
    EXPECT_EQ(rig.finish(reading), BodyPiece::cancelled);
    const auto again = rig.start(rig.connection.read_some(payload, 10s, rig.abort));
    rig.pass(11s);
    EXPECT_EQ(rig.finish(again), BodyPiece::timed_out);
    EXPECT_EQ(rig.respond(200, ""), Io::ok); // and the connection is as good as before
}

} // namespace
} // namespace wm::http
