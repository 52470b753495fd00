#include "loop_fixture.h"
#include "runtime/acceptor.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace wm::runtime {
namespace {

struct Acceptors : LoopTest {
    Poco::Net::ServerSocket server{Poco::Net::SocketAddress("127.0.0.1", 0)};
    Acceptor acceptor{loop, abort, server};
    std::optional<Accepted> got;
    void start() {
        into([this] { return acceptor.accept(); }, got);
    }
};

TEST_F(Acceptors, GivesOneThatIsAlreadyThere) {
    Poco::Net::StreamSocket client(server.address());
    start();
    ASSERT_TRUE(arrives(got));
    ASSERT_EQ(got->status, Io::ok);
    EXPECT_EQ(got->socket->peerAddress(), client.address());
    EXPECT_TRUE(::fcntl(got->socket->impl()->sockfd(), F_GETFL) & O_NONBLOCK);
    EXPECT_TRUE(got->socket->getNoDelay());
}

TEST_F(Acceptors, WaitsForOne) {
    start();
    settle();
    EXPECT_FALSE(got);
    Poco::Net::StreamSocket client(server.address());
    ASSERT_TRUE(arrives(got));
    EXPECT_EQ(got->status, Io::ok);
}

TEST_F(Acceptors, IsCancelledBeforeAndWhileItWaits) {
    start();
    settle();
    abort.fire();
    loop.run_once(0ms);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, Io::cancelled);
    EXPECT_FALSE(got->socket);
    got.reset();
    start();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, Io::cancelled);
}

TEST_F(Acceptors, FailsWithoutDescriptorsAndGoesOnWhenThereAreSome) {
    Poco::Net::StreamSocket client(server.address());
    settle();
    rlimit before;
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const int next = ::dup(0); // the lowest free one: the limit is below it
    ASSERT_GE(next, 0);
    ::close(next);
    rlimit none{rlim_t(next), before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    start();
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    ASSERT_TRUE(arrives(got));
    EXPECT_EQ(got->status, Io::failed);
    EXPECT_FALSE(got->socket);
    got.reset();
    start();
    ASSERT_TRUE(arrives(got));
    EXPECT_EQ(got->status, Io::ok);
}

TEST_F(Acceptors, AConnectionThatWasResetInTheQueueDoesNoHarm) {
    Poco::Net::StreamSocket gone(server.address());
    reset_connection(gone);
    Poco::Net::StreamSocket client(server.address());
    bool found = false;
    for (int i = 0; i < 2 && !found; ++i) { // Linux hands the dead one out first
        got.reset();
        start();
        ASSERT_TRUE(arrives(got));
        ASSERT_EQ(got->status, Io::ok);
        try {
            found = got->socket->peerAddress() == client.address();
        } catch (const Poco::Exception&) { // the dead one has no peer
        }
    }
    EXPECT_TRUE(found);
}

// Several loops share a listening socket: each connection is taken once.
TEST_F(Acceptors, TwoLoopsShareASocket) {
    Loop second(clock);
    {
        Abort abort2(second);
        Acceptor acceptor2(second, abort2, server);
        std::optional<Accepted> got2;
        start();
        into([&] { return acceptor2.accept(); }, got2);
        Poco::Net::StreamSocket one(server.address()), two(server.address());
        ASSERT_TRUE(until([&] {
            second.run_once(0ms);
            return got && got2;
        }));
        EXPECT_EQ(got->status, Io::ok);
        EXPECT_EQ(got2->status, Io::ok);
        EXPECT_NE(got->socket->peerAddress(), got2->socket->peerAddress());
    }
}

} // namespace
} // namespace wm::runtime
