#include "upstream_rig.h"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

namespace wm::http {
namespace {

using namespace std::chrono_literals;
using testing::Peer;
using testing::UpstreamRig;

// One request and its answer, so that the connection may go back.
void exchange(UpstreamRig& rig, UpstreamConnection& connection, Peer& upstream) {
    ASSERT_EQ(rig.await(connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n", 1s)), Io::ok);
    upstream.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    ASSERT_EQ(rig.read_head(connection), HeadRead::ok);
    ASSERT_EQ(rig.read_all(connection), BodyPiece::end);
    upstream.take();
}

Peer leave_idle(UpstreamRig& rig) { // a new connection that has served and is idle
    auto leased = rig.lease(true);
    auto upstream = rig.accept();
    exchange(rig, *leased.connection, upstream);
    UpstreamConnection::give_back(std::move(leased.connection));
    return upstream;
}

TEST(UpstreamPool, LendsTheFreshestIdleConnection) {
    UpstreamRig rig;
    auto older = leave_idle(rig), newer = leave_idle(rig);
    EXPECT_EQ(rig.pool->idle(), 2u);
    auto leased = rig.lease();
    ASSERT_EQ(leased.status, Io::ok);
    EXPECT_TRUE(leased.reused);
    EXPECT_EQ(leased.failed_at, ConnectStep::none);
    EXPECT_EQ(rig.pool->idle(), 1u);
    exchange(rig, *leased.connection, newer);
    UpstreamConnection::give_back(std::move(leased.connection));
    EXPECT_FALSE(rig.lease(true).reused);
}

TEST(UpstreamPool, DropsConnectionsThatTheUpstreamEndedOrSpokeOn) {
    for (const bool speaks : {false, true}) {
        UpstreamRig rig;
        auto first = leave_idle(rig), second = leave_idle(rig);
        if (speaks)
            second.say("HTTP/1.1 408 Request Timeout\r\n\r\n");
        else
            second.leave();
        rig.settle();
        auto leased = rig.lease();
        ASSERT_TRUE(leased.connection);
        EXPECT_TRUE(leased.reused);
        exchange(rig, *leased.connection, first);
        EXPECT_EQ(rig.pool->idle(), 0u);
    }
}

TEST(UpstreamPool, ForgetsTheIdleAfterATime) {
    UpstreamRig rig;
    auto upstream = leave_idle(rig);
    rig.pass(50s);
    EXPECT_EQ(rig.pool->idle(), 1u);
    rig.pass(30s); // nobody asks: the pool's own timer ends it
    EXPECT_EQ(rig.pool->idle(), 0u);
    EXPECT_TRUE(upstream.ended());
}

TEST(UpstreamPool, PrunesWhatUpstreamsEnded) {
    UpstreamRig rig;
    auto upstream = leave_idle(rig);
    upstream.leave();
    rig.pass(16s);
    EXPECT_EQ(rig.pool->idle(), 0u);
}

TEST(UpstreamPool, BoundsTheIdle) {
    PoolLimits limits;
    limits.max_idle_per_origin = 2;
    UpstreamRig rig(limits);
    auto first = leave_idle(rig), second = leave_idle(rig), third = leave_idle(rig);
    EXPECT_EQ(rig.pool->idle(), 2u);
    EXPECT_TRUE(first.ended()); // the oldest went
    EXPECT_FALSE(third.ended());
    rig.pool->close_idle();
    EXPECT_EQ(rig.pool->idle(), 0u);
    EXPECT_TRUE(third.ended());
}

// A reload closes the idle, as certificates and authorities may be others: what was in use then was made with the old.
TEST(UpstreamPool, WhatWasInUseWhenTheIdleWereClosedDoesNotComeBack) {
    UpstreamRig rig;
    auto idle = leave_idle(rig);
    auto fresh = rig.lease(true), reused = rig.lease();
    auto upstream = rig.accept();
    ASSERT_TRUE(reused.reused);
    rig.pool->close_idle();
    exchange(rig, *fresh.connection, upstream);
    exchange(rig, *reused.connection, idle);
    UpstreamConnection::give_back(std::move(fresh.connection));
    UpstreamConnection::give_back(std::move(reused.connection));
    EXPECT_EQ(rig.pool->idle(), 0u);
    leave_idle(rig);
    EXPECT_EQ(rig.pool->idle(), 1u);
}

TEST(UpstreamPool, NeverLendsAcrossOrigins) {
    UpstreamRig rig;
    auto upstream = leave_idle(rig);
    const auto first = rig.origin;
    for (const auto member : {&Origin::ca_file, &Origin::certificate_file, &Origin::key_file}) {
        rig.origin = first;
        rig.origin.*member = "/other";
        EXPECT_FALSE(rig.lease().reused);
    }
    rig.origin = first;
    rig.origin.verify = false;
    EXPECT_FALSE(rig.lease().reused);
}

TEST(UpstreamPool, MayGoBeforeItsConnections) {
    UpstreamRig rig;
    auto idle = leave_idle(rig);
    auto leased = rig.lease(true);
    auto upstream = rig.accept();
    rig.pool.reset();
    EXPECT_TRUE(idle.ended());
    exchange(rig, *leased.connection, upstream);
    EXPECT_TRUE(leased.connection->reusable());
    UpstreamConnection::give_back(std::move(leased.connection));
    EXPECT_TRUE(upstream.ended());
}

TEST(UpstreamPool, SaysWhatFailed) {
    UpstreamRig rig;
    rig.origin.host = "absent.test";
    auto leased = rig.lease();
    EXPECT_EQ(leased.status, Io::failed);
    EXPECT_EQ(leased.failed_at, ConnectStep::dns);
    EXPECT_EQ(leased.failure, "no such name");
    EXPECT_FALSE(leased.connection);

    rig.origin.host = "127.0.0.1";
    rig.listener.close();
    leased = rig.lease();
    EXPECT_EQ(leased.status, Io::failed);
    EXPECT_EQ(leased.failed_at, ConnectStep::connect);
    EXPECT_FALSE(leased.failure.empty());
}

TEST(UpstreamPool, TriesEveryAddress) {
    UpstreamRig rig;
    rig.origin.host = "two.test";
    auto leased = rig.lease();
    ASSERT_EQ(leased.status, Io::ok) << int(leased.failed_at) << leased.failure;
    auto upstream = rig.accept();
    exchange(rig, *leased.connection, upstream);
}

TEST(UpstreamPool, GivesUpOnASlowResolver) {
    for (const bool cancels : {false, true}) {
        UpstreamRig rig;
        rig.origin.host = "slow.test";
        std::unique_lock hold(rig.slow);
        const auto lease = rig.start(rig.pool->lease(rig.origin, rig.abort, 2s));
        rig.pass(1s);
        EXPECT_FALSE(lease->has_value());
        if (cancels)
            rig.abort.fire();
        else
            rig.pass(2s);
        const auto leased = rig.finish(lease);
        EXPECT_EQ(leased.status, cancels ? Io::cancelled : Io::timed_out);
        EXPECT_EQ(leased.failed_at, ConnectStep::dns);
        EXPECT_EQ(leased.failure.empty(), cancels);
    }
}

TEST(UpstreamPool, GivesUpOnAHandshakeThatDoesNotCome) {
    enum class How { silence, goodbye, garbage, cancelled };
    for (const auto how : {How::silence, How::goodbye, How::garbage, How::cancelled}) {
        UpstreamRig rig;
        rig.origin.tls = true;
        rig.origin.verify = false;
        const auto lease = rig.start(rig.pool->lease(rig.origin, rig.abort, 2s));
        rig.settle();
        auto upstream = rig.accept();
        rig.settle();
        EXPECT_FALSE(lease->has_value());
        switch (how) {
        case How::silence: rig.pass(3s); break;
        case How::goodbye: upstream.leave(); break;
        case How::garbage: upstream.say("HTTP/1.1 400 Bad Request\r\n\r\n"); break;
        case How::cancelled: rig.abort.fire(); break;
        }
        const auto leased = rig.finish(lease);
        EXPECT_EQ(leased.failed_at, ConnectStep::tls);
        EXPECT_EQ(leased.status, how == How::silence     ? Io::timed_out
                                 : how == How::cancelled ? Io::cancelled
                                                         : Io::failed);
        EXPECT_EQ(leased.failure.empty(), how == How::cancelled);
        EXPECT_FALSE(leased.connection);
    }
}

TEST(UpstreamPool, RefusesAnUnreadableAuthorityFile) {
    UpstreamRig rig;
    rig.origin.tls = true;
    rig.origin.ca_file = "/nonexistent/ca.pem";
    const auto leased = rig.lease();
    EXPECT_EQ(leased.status, Io::failed);
    EXPECT_EQ(leased.failed_at, ConnectStep::tls);
    EXPECT_NE(leased.failure.find("/nonexistent/ca.pem"), std::string::npos) << leased.failure;
}

// Leaves the process no descriptor but those it has.
struct NoDescriptors {
    NoDescriptors() {
        ::getrlimit(RLIMIT_NOFILE, &before);
        const int lowest = ::dup(STDERR_FILENO);
        ::close(lowest);
        auto few = before;
        few.rlim_cur = rlim_t(lowest);
        ::setrlimit(RLIMIT_NOFILE, &few);
    }
    ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before); }
    rlimit before{};
};

TEST(UpstreamPool, SaysWhereThisSideIsOutOfDescriptors) {
    UpstreamRig rig;
    const NoDescriptors none;
    const auto leased = rig.lease();
    EXPECT_EQ(leased.status, Io::failed);
    EXPECT_EQ(leased.failed_at, ConnectStep::local);
    EXPECT_FALSE(leased.failure.empty());
}

// Whoever rests makes way, at whichever upstream.
TEST(UpstreamPool, OutOfDescriptorsItClosesTheIdle) {
    UpstreamRig rig;
    auto upstream = leave_idle(rig);
    rig.origin.ca_file = "/another/origin";
    const NoDescriptors none;
    const auto leased = rig.lease();
    EXPECT_EQ(leased.status, Io::ok) << leased.failure;
    EXPECT_EQ(rig.pool->idle(), 0u);
    EXPECT_TRUE(upstream.ended());
}

} // namespace
} // namespace wm::http
