#pragma once
// A loop whose time the test tells, and raw peers on loopback. Everything happens on the test's thread: a peer's bytes
// are in the kernel before the loop turns.
#include "manual_clock.h"
#include "runtime/abort.h"
#include "runtime/loop.h"
#include "runtime/stream.h"
#include "runtime/task.h"

#include <Poco/Net/ServerSocket.h>
#include <Poco/Net/StreamSocket.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>

namespace wm::http::testing {

using runtime::Io;
using runtime::Task;

class Peer {
  public:
    explicit Peer(Poco::Net::StreamSocket socket) : socket_(std::move(socket)) { socket_.setNoDelay(true); }

    void say(std::string_view bytes) {
        if (::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL) != ssize_t(bytes.size()))
            throw std::runtime_error("the peer could not send");
    }
    bool say_some(std::string_view bytes) { // false: the other side does not read, or is gone
        return ::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
    }
    const std::string& hear() { // all that came so far
        char buffer[65536];
        for (;;) {
            const auto n = ::recv(fd(), buffer, sizeof buffer, MSG_DONTWAIT);
            if (n > 0) {
                heard_.append(buffer, std::size_t(n));
                continue;
            }
            ended_ = ended_ || n == 0;
            reset_ = reset_ || (n < 0 && errno != EAGAIN);
            return heard_;
        }
    }
    std::string take() { return hear(), std::exchange(heard_, {}); }
    bool ended() { return hear(), ended_; } // in order
    bool reset() { return hear(), reset_; }
    void end() { ::shutdown(fd(), SHUT_WR); }
    void leave() { socket_.close(); }

  private:
    int fd() const { return socket_.impl()->sockfd(); }
    Poco::Net::StreamSocket socket_;
    std::string heard_;
    bool ended_ = false, reset_ = false;
};

// A Task of any type, as one type: coroutines that are templates or inline do not compile with clang 14 under
// -fsanitize=function ("cannot represent a difference across sections"), so the one in rig.cpp is neither.
class Awaited {
  public:
    virtual ~Awaited() = default;
    virtual std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) = 0;
    virtual void await_resume() = 0;
};
void drive(std::unique_ptr<Awaited> awaited);

template <class T>
using Pending = std::shared_ptr<std::optional<T>>;

class Rig {
  public:
    // The task starts at once and runs while the loop is turned by one of the functions below.
    template <class T>
    Pending<T> start(Task<T> task) {
        auto result = std::make_shared<std::optional<T>>();
        drive(std::make_unique<Driven<T>>(std::move(task), result));
        return result;
    }
    template <class T>
    T finish(const Pending<T>& pending) {
        until([&] { return pending->has_value(); });
        return std::move(**pending);
    }
    template <class T>
    T await(Task<T> task) {
        return finish(start(std::move(task)));
    }
    template <class F>
    void until(F&& done) {
        for (int turn = 0; !done(); ++turn) {
            if (turn == 5000) throw std::runtime_error("it never happened");
            loop.run_once(Millis(1));
        }
    }
    void settle() { // whatever can happen without more bytes or time
        for (int turn = 0; turn < 10; ++turn) loop.run_once(Millis(0));
    }
    void pass(Millis time) { // in small steps, as the real one does
        for (constexpr Millis step(100); time > time.zero(); time -= step) {
            clock.advance(std::min(step, time));
            settle();
        }
    }

    ManualClock clock;
    runtime::Loop loop{clock};
    runtime::Abort abort{loop};

  private:
    template <class T>
    struct Driven final : Awaited {
        Driven(Task<T> t, Pending<T> r) : task(std::move(t)), result(std::move(r)) {}
        std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) override {
            return task.await_suspend(caller);
        }
        void await_resume() override { result->emplace(task.await_resume()); }
        Task<T> task;
        Pending<T> result;
    };
};

inline Poco::Net::ServerSocket listen_somewhere() {
    return Poco::Net::ServerSocket(Poco::Net::SocketAddress("127.0.0.1", 0));
}

} // namespace wm::http::testing
