#pragma once
// A loop turned by hand, with a clock that stands still, and pairs of sockets on the loopback interface.
#include "manual_clock.h"
#include "runtime/acceptor.h"
#include "runtime/loop.h"
#include "runtime/stream.h"
#include "runtime/task.h"
#include "runtime/timer.h"
#include <Poco/Net/ServerSocket.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <sys/socket.h>

namespace wm::runtime {

using namespace std::chrono_literals;

// Awaits what make() gives and keeps the result.
template <class F, class R>
Detached into(F make, std::optional<R>& out) {
    auto result = co_await make();
    out.emplace(std::move(result));
}

struct LoopTest : testing::Test {
    ManualClock clock;
    Loop loop{clock};
    Abort abort{loop};

    void TearDown() override { // what still waits unwinds; it may refer to members, not to a test's locals
        abort.fire();
        loop.stop(); // for what has an abort of its own
        settle();
    }
    // Turns the loop until it holds; gives up after 10 s of real time.
    template <class P>
    [[nodiscard]] bool until(P holds) {
        const auto end = std::chrono::steady_clock::now() + 10s;
        while (!holds()) {
            if (std::chrono::steady_clock::now() > end) return false;
            loop.run_once(10ms);
        }
        return true;
    }
    template <class T>
    [[nodiscard]] bool arrives(const std::optional<T>& value) {
        return until([&] { return value.has_value(); });
    }
    void settle() { // everything that can happen without anybody's help
        for (int i = 0; i < 5; ++i) loop.run_once(1ms);
    }
    void advance(Millis by) {
        clock.advance(by);
        loop.run_once(0ms);
    }
};

struct Pair {
    Poco::Net::StreamSocket here, there;
};

inline Pair connected_pair() {
    Poco::Net::ServerSocket server(Poco::Net::SocketAddress("127.0.0.1", 0));
    Pair pair;
    pair.here.connect(server.address());
    pair.there = server.acceptConnection();
    return pair;
}

// So that little fills it up. Only the sender's: a tiny receive window makes the kernel wait for its timers.
inline void shrink_buffer(Poco::Net::StreamSocket& s) { s.setSendBufferSize(32 * 1024); }

// Everything that is there now, without waiting.
inline std::string drain_now(Poco::Net::StreamSocket& s) {
    std::string all;
    char part[65536];
    for (ssize_t n; (n = ::recv(s.impl()->sockfd(), part, sizeof part, MSG_DONTWAIT)) > 0;) all.append(part, n);
    return all;
}

inline void send_all(Poco::Net::StreamSocket& s, std::string_view data) {
    ASSERT_EQ(::send(s.impl()->sockfd(), data.data(), data.size(), MSG_NOSIGNAL), ssize_t(data.size()));
}

inline void reset_connection(Poco::Net::StreamSocket& s) {
    s.setLinger(true, 0);
    s.close();
}

} // namespace wm::runtime
