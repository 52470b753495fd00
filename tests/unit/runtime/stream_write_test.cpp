#include "stream_fixture.h"

namespace wm::runtime {
namespace {

struct Writing : StreamTest {
    const std::string big = pattern(1'000'000);

    Writing() {
        shrink_buffer(pair.here);
        shrink_buffer(peer);
        open();
    }
    void write_until_full() { // a write that is suspended in the middle of its data
        write(big);
        settle();
        ASSERT_FALSE(written);
    }
};

TEST_F(Writing, SmallDataGoesAtOnce) {
    write("hello");
    EXPECT_EQ(written, Io::ok);
    EXPECT_EQ(read_all(5), "hello");
}

TEST_F(Writing, NothingIsWrittenAtOnce) {
    write("");
    EXPECT_EQ(written, Io::ok);
}

TEST_F(Writing, WaitsForASlowReaderAndLosesNothing) {
    write_until_full();
    EXPECT_TRUE(read_all(big.size()) == big);
    ASSERT_TRUE(arrives(written));
    EXPECT_EQ(written, Io::ok);
}

// The kernel takes megabytes at once; whoever shares the loop does not wait for all of them.
TEST_F(StreamTest, ALongWriteLeavesOthersTheirTurn) {
    open();
    const auto data = pattern(8'000'000);
    auto other = connected_pair();
    Stream modest(loop, abort, std::move(other.here), Stream::Start::accepted);
    std::optional<Filled> told;
    into([&] { return modest.fill(1h); }, told);
    send_all(other.there, "please");
    write(data);
    std::size_t arrived = 0, at_other = 0;
    ASSERT_TRUE(until([&] {
        arrived += drain_now(peer).size();
        if (told && at_other == 0) at_other = arrived;
        return written.has_value();
    }));
    EXPECT_EQ(written, Io::ok);
    EXPECT_LT(at_other, 500'000u);
    EXPECT_TRUE(until([&] { return (arrived += drain_now(peer).size()) == data.size(); }));
}

// Progress starts the timeout again, but no write goes on beyond its bound.
TEST_F(Writing, EndsAtItsBoundThoughThePeerReadsOn) {
    const auto huge = pattern(16'000'000);
    into([&] { return stream->write(huge, 100ms, clock.now() + 150ms); }, written);
    settle();
    advance(60ms);
    EXPECT_LT(read_all(2'000'000).size(), huge.size());
    settle();
    advance(60ms);
    EXPECT_FALSE(written) << "60 ms after it last got on";
    advance(40ms);
    EXPECT_EQ(written, Io::timed_out) << "at 160 ms, though it had 100 ms from where it last got on";
}

TEST_F(Writing, TimesOutWhenThePeerReadsNothing) {
    write(big, 100ms);
    settle();
    advance(100ms);
    EXPECT_EQ(written, Io::timed_out);
    written.reset();
    write("more"); // would land in the middle of the other
    EXPECT_EQ(written, Io::failed);
    EXPECT_FALSE(stream->post("x"));
    EXPECT_EQ(stream->failure(), "a write was given up");
}

TEST_F(Writing, ProgressRestartsTheTimeout) {
    const auto huge = pattern(16'000'000); // more than the kernel will ever hold
    write(huge, 100ms);
    settle();
    advance(60ms);
    EXPECT_LT(read_all(2'000'000).size(), huge.size());
    settle();
    advance(60ms);
    EXPECT_FALSE(written) << "120 ms after it began, 60 ms after it last got on";
    advance(100ms);
    EXPECT_EQ(written, Io::timed_out);
}

TEST_F(Writing, IsCancelledBeforeAndWhileItWaits) {
    write_until_full();
    abort.fire();
    loop.run_once(0ms);
    EXPECT_EQ(written, Io::cancelled);
}

TEST_F(Writing, OneThatIsCancelledBeforeItBeginsHarmsNothing) {
    abort.fire();
    write("never sent");
    EXPECT_EQ(written, Io::cancelled);
    Abort next(loop);
    stream->owner(next);
    written.reset();
    write("sent");
    EXPECT_EQ(written, Io::ok);
    EXPECT_EQ(read_all(4), "sent");
}

TEST_F(Writing, FailsWhenThePeerIsGone) {
    write_until_full();
    reset_connection(peer);
    ASSERT_TRUE(arrives(written));
    EXPECT_EQ(written, Io::failed);
    EXPECT_FALSE(stream->failure().empty());
}

TEST_F(Writing, ReadsMeanwhile) {
    write_until_full();
    fill();
    send_all(peer, "meanwhile");
    ASSERT_TRUE(arrives(filled));
    EXPECT_EQ(stream->in().view(), "meanwhile");
    EXPECT_FALSE(written);
    EXPECT_TRUE(read_all(big.size()) == big);
    ASSERT_TRUE(arrives(written));
}

TEST_F(Writing, APostGoesAtOnceIfItCan) {
    EXPECT_TRUE(stream->post("ping"));
    EXPECT_EQ(read_all(4), "ping");
}

TEST_F(Writing, APostWaitsBehindAWriteThatIsUnderWay) {
    write_until_full();
    EXPECT_TRUE(stream->post("ping"));
    EXPECT_TRUE(stream->post("pong"));
    EXPECT_TRUE(read_all(big.size() + 8) == big + "pingpong");
    ASSERT_TRUE(arrives(written));
    EXPECT_EQ(written, Io::ok);
}

TEST_F(Writing, PostsAreBounded) {
    write_until_full();
    const std::string ping(4096, '.');
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(stream->post(ping));
    EXPECT_FALSE(stream->post("."));
    EXPECT_TRUE(read_all(big.size() + 4 * 4096) == big + std::string(4 * 4096, '.'));
    settle();
    EXPECT_TRUE(stream->post(".")) << "there is room again";
}

TEST_F(Writing, WhatWasPostedIsSentWhenThePeerReadsOnOrBeforeTheNextWrite) {
    const std::string ping(1000, 'p');
    std::size_t posted = 0;
    while (stream->post(ping)) posted += ping.size(); // until the socket and the 16 KiB are full
    EXPECT_GE(posted, 16'000u);
    std::string got = read_all(posted); // without a write
    EXPECT_TRUE(got == std::string(posted, 'p'));

    posted = 0;
    while (stream->post(ping)) posted += ping.size();
    write(big);
    EXPECT_FALSE(stream->post(ping));
    got = read_all(posted + 1);
    EXPECT_TRUE(stream->post("after"));
    got += read_all(posted + big.size() + 5 - got.size());
    EXPECT_TRUE(got == std::string(posted, 'p') + big + "after");
    ASSERT_TRUE(arrives(written));
    EXPECT_EQ(written, Io::ok);
}

struct Connecting : LoopTest {
    std::optional<Stream> stream;
    std::optional<Io> connected;

    void start(const Poco::Net::SocketAddress& address, Millis timeout = 1h) {
        auto socket = start_connect(address);
        ASSERT_TRUE(socket) << socket.error().why;
        stream.emplace(loop, abort, std::move(*socket), Stream::Start::connecting);
        connected.reset();
        into([=, this] { return stream->connected(timeout); }, connected);
    }
};

TEST_F(Connecting, ReachesAListener) {
    Poco::Net::ServerSocket server(Poco::Net::SocketAddress("127.0.0.1", 0));
    start(server.address());
    ASSERT_TRUE(arrives(connected));
    EXPECT_EQ(connected, Io::ok);
    auto peer = server.acceptConnection();
    send_all(peer, "welcome");
    std::optional<Filled> filled;
    into([&] { return stream->fill(1h); }, filled);
    ASSERT_TRUE(arrives(filled));
    EXPECT_EQ(stream->in().view(), "welcome");
}

TEST_F(Connecting, IsRefused) {
    Poco::Net::ServerSocket server(Poco::Net::SocketAddress("127.0.0.1", 0));
    const auto address = server.address();
    server.close();
    start(address);
    ASSERT_TRUE(arrives(connected));
    EXPECT_EQ(connected, Io::failed);
    EXPECT_EQ(stream->failure(), "Connection refused");
}

TEST_F(Connecting, AnImpossibleAddressFailsAtOnce) {
    const auto socket = start_connect(Poco::Net::SocketAddress("255.255.255.255", 9));
    ASSERT_FALSE(socket);
    EXPECT_FALSE(socket.error().why.empty());
    EXPECT_EQ(socket.error().lack, Lack::none);
}

// A listener whose queue is full leaves further connections unanswered.
struct Unanswered : Connecting {
    Poco::Net::ServerSocket server;
    std::vector<Poco::Net::StreamSocket> queued;

    void SetUp() override {
        server.bind(Poco::Net::SocketAddress("127.0.0.1", 0));
        server.listen(1);
        for (int i = 0; i < 4; ++i) {
            queued.emplace_back(Poco::Net::SocketAddress::IPv4);
            queued.back().connectNB(server.address());
        }
        settle();
    }
};

TEST_F(Unanswered, TimesOut) {
    start(server.address(), 100ms);
    settle();
    ASSERT_FALSE(connected);
    advance(100ms);
    EXPECT_EQ(connected, Io::timed_out);
}

TEST_F(Unanswered, IsCancelledWhileItWaitsAndBefore) {
    start(server.address());
    settle();
    ASSERT_FALSE(connected);
    abort.fire();
    loop.run_once(0ms);
    EXPECT_EQ(connected, Io::cancelled);
    start(server.address());
    EXPECT_EQ(connected, Io::cancelled);
}

} // namespace
} // namespace wm::runtime
