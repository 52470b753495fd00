#include "stream_fixture.h"

namespace wm::runtime {
namespace {

struct Reading : StreamTest {
    Reading() { open(); }
};

TEST(StreamSize, IdleStreamsAreSmall) { static_assert(sizeof(Stream) <= 256); }

TEST_F(Reading, FillTakesWhatIsThere) {
    send_all(peer, "hello");
    fill();
    ASSERT_TRUE(arrives(filled));
    EXPECT_EQ(filled->status, Io::ok);
    EXPECT_EQ(filled->bytes, 5u);
    EXPECT_EQ(stream->in().view(), "hello");
}

TEST_F(Reading, FillWaitsForMore) {
    fill();
    settle();
    EXPECT_FALSE(filled);
    send_all(peer, "a");
    ASSERT_TRUE(arrives(filled));
    filled.reset();
    fill();
    settle();
    EXPECT_FALSE(filled);
    send_all(peer, "b");
    ASSERT_TRUE(arrives(filled));
    EXPECT_EQ(stream->in().view(), "ab");
}

TEST_F(Reading, MoreThanOneReadHoldsComesWhole) {
    const auto data = pattern(300'000);
    std::size_t got = 0;
    std::string_view rest = data;
    ASSERT_TRUE(until([&] {
        if (const auto n = ::send(peer.impl()->sockfd(), rest.data(), rest.size(), MSG_DONTWAIT); n > 0)
            rest.remove_prefix(std::size_t(n));
        filled.reset();
        fill(10ms);
        while (!filled) {
            loop.run_once(1ms);
            clock.advance(1ms);
        }
        got += filled->bytes;
        return got == data.size();
    }));
    EXPECT_TRUE(stream->in().view() == data);
}

TEST_F(Reading, TimesOut) {
    fill(100ms);
    advance(90ms);
    EXPECT_FALSE(filled);
    advance(10ms);
    ASSERT_TRUE(filled);
    EXPECT_EQ(filled->status, Io::timed_out);
    filled.reset();
    send_all(peer, "late"); // and goes on afterwards
    fill();
    ASSERT_TRUE(arrives(filled));
    EXPECT_EQ(stream->in().view(), "late");
}

TEST_F(Reading, IsCancelledBeforeAndWhileItWaits) {
    fill();
    settle();
    abort.fire();
    loop.run_once(0ms);
    ASSERT_TRUE(filled);
    EXPECT_EQ(filled->status, Io::cancelled);
    filled.reset();
    send_all(peer, "x");
    fill();
    ASSERT_TRUE(filled);
    EXPECT_EQ(filled->status, Io::cancelled);
}

TEST_F(Reading, ANewOwnerIsCancelledByItsOwnAbort) {
    abort.fire();
    Abort next(loop);
    stream->owner(next);
    send_all(peer, "x");
    fill();
    ASSERT_TRUE(arrives(filled));
    EXPECT_EQ(filled->status, Io::ok);
}

TEST_F(Reading, TheEndComesAfterTheData) {
    send_all(peer, "last");
    peer.shutdownSend();
    fill();
    ASSERT_TRUE(arrives(filled));
    EXPECT_EQ(filled->bytes, 4u);
    for (int i = 0; i < 2; ++i) {
        filled.reset();
        fill();
        ASSERT_TRUE(arrives(filled));
        EXPECT_EQ(filled->status, Io::closed);
    }
    EXPECT_TRUE(stream->hung_up());
    EXPECT_EQ(stream->failure(), "");
}

TEST_F(Reading, AnEndWhileWaitingIsClosed) {
    fill();
    settle();
    peer.close();
    ASSERT_TRUE(arrives(filled));
    EXPECT_EQ(filled->status, Io::closed);
}

TEST_F(Reading, AResetIsAFailureWithAName) {
    fill();
    settle();
    reset_connection(peer);
    ASSERT_TRUE(arrives(filled));
    EXPECT_EQ(filled->status, Io::failed);
    EXPECT_EQ(stream->failure(), "Connection reset by peer");
}

// A peer that only closed its own side still gets its answer.
TEST_F(Reading, AHalfOpenPeerCanStillBeWrittenTo) {
    peer.shutdownSend();
    fill();
    ASSERT_TRUE(arrives(filled));
    EXPECT_EQ(filled->status, Io::closed);
    write("answer");
    ASSERT_TRUE(arrives(written));
    EXPECT_EQ(written, Io::ok);
    EXPECT_EQ(read_all(6), "answer");
}

TEST_F(Reading, WeMayCloseOurSideOnly) {
    stream->shutdown_send();
    char byte;
    EXPECT_EQ(peer.receiveBytes(&byte, 1), 0);
    send_all(peer, "still here");
    fill();
    ASSERT_TRUE(arrives(filled));
    EXPECT_EQ(stream->in().view(), "still here");
    write("x");
    ASSERT_TRUE(arrives(written));
    EXPECT_EQ(written, Io::failed);
}

TEST_F(Reading, APeerThatLeavesFiresTheAbort) {
    std::optional<Io> thinking;
    stream->abort_on_hangup(true);
    into([&] { return sleep(loop, abort, 1h); }, thinking);
    send_all(peer, "more"); // that is not leaving
    settle();
    EXPECT_FALSE(thinking);
    peer.close();
    ASSERT_TRUE(arrives(thinking));
    EXPECT_EQ(thinking, Io::cancelled);
}

TEST_F(Reading, APeerThatHasLeftFiresTheAbortAtOnce) {
    peer.close();
    ASSERT_TRUE(until([&] { return stream->hung_up(); }));
    EXPECT_FALSE(abort.fired());
    stream->abort_on_hangup(true);
    EXPECT_TRUE(abort.fired());
}

TEST_F(Reading, APeerMayLeaveUnnoticedWhenNobodyAsks) {
    stream->abort_on_hangup(true);
    stream->abort_on_hangup(false);
    peer.close();
    ASSERT_TRUE(until([&] { return stream->hung_up(); }));
    EXPECT_FALSE(abort.fired());
}

TEST_F(Reading, AnIdleStreamIsStaleOnceThePeerSpeaksOrLeaves) {
    settle();
    EXPECT_FALSE(stream->stale());
    send_all(peer, "x");
    ASSERT_TRUE(until([&] { return stream->stale(); }));
    fill();
    ASSERT_TRUE(arrives(filled));
    EXPECT_FALSE(stream->stale());
    peer.close();
    ASSERT_TRUE(until([&] { return stream->stale(); }));
}

// One coroutine closes the other stream while an event for it is at hand, and its descriptor is used again.
TEST_F(Reading, EventsDoNotReachTheNextUserOfADescriptor) {
    auto other = connected_pair();
    auto fresh = connected_pair();
    std::optional<Stream> second;
    second.emplace(loop, abort, std::move(other.here), Stream::Start::accepted);
    std::optional<Filled> on_second;
    bool replaced = false;
    fill();
    loop.run_once(0ms);
    [](Reading& t, std::optional<Stream>& s, Pair& f, bool& r) -> Detached {
        const auto end = co_await sleep(t.loop, t.abort, 10ms); // due in the turn that also has second's event
        EXPECT_EQ(end, Io::ok);
        s.reset();
        s.emplace(t.loop, t.abort, std::move(f.here), Stream::Start::accepted);
        r = true;
    }(*this, second, fresh, replaced);
    send_all(other.there, "for the old one");
    other.there.close();
    clock.advance(10ms);
    ASSERT_TRUE(until([&] { return replaced; }));
    settle();
    EXPECT_FALSE(second->hung_up());
    EXPECT_FALSE(second->stale());
    into([&] { return second->fill(1h); }, on_second);
    send_all(fresh.there, "new");
    ASSERT_TRUE(arrives(on_second));
    EXPECT_EQ(second->in().view(), "new");
}

// A client that pipelines without end shares the loop with the others.
TEST_F(Reading, AGreedyPeerLeavesOthersTheirTurn) {
    send_all(peer, pattern(60'000));
    fill();
    ASSERT_TRUE(arrives(filled));
    long greedy = 0, at_other = -1;
    bool stop = false;
    auto other = connected_pair();
    Stream modest(loop, abort, std::move(other.here), Stream::Start::accepted);
    [](Stream& s, Poco::Net::StreamSocket& from, long& n, bool& end) -> Detached {
        while (!end && n < 100'000) { // always has something to write, and the peer always reads
            const auto done = co_await s.write("x", 1h);
            EXPECT_EQ(done, Io::ok);
            if (++n % 1000 == 0) drain_now(from);
        }
    }(*stream, peer, greedy, stop);
    [](Stream& s, long& n, long& at, bool& end) -> Detached {
        const auto got = co_await s.fill(1h);
        EXPECT_EQ(got.status, Io::ok);
        at = n;
        end = true;
    }(modest, greedy, at_other, stop);
    const auto before = greedy;
    send_all(other.there, "please");
    ASSERT_TRUE(until([&] { return at_other >= 0; }));
    EXPECT_LT(at_other - before, 1000);
    settle();
}

TEST(BufferTest, ConsumesAndGivesBack) {
    Buffer b;
    b.append("hello ");
    b.append("world");
    b.consume(6);
    EXPECT_EQ(b.view(), "world");
    EXPECT_EQ(b.size(), 5u);
    b.consume(5);
    EXPECT_TRUE(b.empty());
    const auto data = pattern(500'000);
    std::string got;
    for (std::size_t i = 0; i < data.size(); i += 1000) {
        b.append(std::string_view(data).substr(i, 1000));
        if (i % 3000 == 0) {
            got += b.view().substr(0, 1500);
            b.consume(std::min<std::size_t>(1500, b.size()));
        }
    }
    got += b.view();
    EXPECT_EQ(got, data);
}

} // namespace
} // namespace wm::runtime
