#include "exchange/heartbeat.h"
#include "rig.h"

#include <gtest/gtest.h>

#include <future>

namespace wm::exchange {
namespace {

using namespace std::chrono_literals;

struct Beats : testing::Test {
    Beats() {
        rig.settings->backends[0].timeouts.heartbeat = 1s;
        rig.x.facts.stream = true;
        rig.x.wants_metadata = true; // the head tells of the attempt and its translation
    }
    void look(Millis time) { // as the heartbeat does, four times a period
        for (; time > 0ms; time -= 250ms) rig.pass(250ms);
    }
    bool until(const bool& holds) {
        const auto end = std::chrono::steady_clock::now() + 10s;
        while (!holds && std::chrono::steady_clock::now() < end) rig.loop.run_once(10ms);
        return holds;
    }
    std::string sent() {
        rig.turn();
        std::string all(4096, '\0');
        rig.client.setBlocking(false);
        try {
            all.resize(std::size_t(std::max(0, rig.client.receiveBytes(all.data(), int(all.size())))));
        } catch (const Poco::Exception&) {
            all.clear();
        }
        return all;
    }
    Rig rig{{{0}}};
};

// Work on the pool that ends when it is told to.
struct LongWork {
    explicit LongWork(Rig& rig) {
        [](Context& x, LongWork& work) -> runtime::Detached {
            co_await x.work_on(large_body + 1, [&] {
                work.started.set_value();
                work.go.get_future().wait();
            });
            work.over = true;
        }(rig.x, *this);
        started.get_future().wait();
    }
    std::promise<void> started, go;
    bool over = false;
};

TEST_F(Beats, AHeadWaitsForWorkThatTheExchangeIsLentTo) {
    Heartbeat heartbeat(rig.x);
    LongWork work(rig);
    look(5s);
    EXPECT_FALSE(rig.connection.begun());
    work.go.set_value();
    ASSERT_TRUE(until(work.over));
    rig.pass(250ms); // and no longer
    EXPECT_TRUE(rig.connection.begun());
    EXPECT_TRUE(sent().ends_with(": keep-alive\n\n\r\n"));
}

TEST_F(Beats, BehindItsHeadAStreamIsKeptAliveMeanwhile) {
    Heartbeat heartbeat(rig.x);
    look(1s);
    ASSERT_TRUE(rig.connection.begun());
    EXPECT_FALSE(sent().empty());
    LongWork work(rig);
    look(1s);
    EXPECT_TRUE(sent().ends_with(": keep-alive\n\n\r\n"));
    work.go.set_value();
    ASSERT_TRUE(until(work.over));
}

} // namespace
} // namespace wm::exchange
