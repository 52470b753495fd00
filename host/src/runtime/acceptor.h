#pragma once
#include "runtime/waiter.h"
#include <Poco/Net/ServerSocket.h>
#include <Poco/Net/StreamSocket.h>
#include <optional>

namespace wm::runtime {

struct Accepted {
    Io status;                                     // failed: out of descriptors or memory; wait a little and go on
    std::optional<Poco::Net::StreamSocket> socket; // non-blocking, no delay
};

// [loop thread] Takes connections off a listening socket, which several loops may share. One accept at a time.
class Acceptor final : private Watcher {
  public:
    Acceptor(Loop& loop, Abort& abort, Poco::Net::ServerSocket& socket); // makes the socket non-blocking
    ~Acceptor();
    Acceptor(const Acceptor&) = delete;
    class Accept;
    Accept accept(); // -> Accepted

  private:
    void on_ready(bool in, bool out, bool hangup) override;
    Loop& loop_;
    Abort& abort_;
    const int fd_;
    Accept* waiting_ = nullptr;
};

class [[nodiscard]] Acceptor::Accept final : public Waiter {
  public:
    explicit Accept(Acceptor& a) : Waiter(a.loop_, a.abort_, forever), a_(a) {}
    Accepted await_resume() { return {status_, std::move(socket_)}; }

  private:
    friend class Acceptor;
    bool attempt() override;
    bool attach() override { return a_.waiting_ = this, true; }
    bool detach() override { return a_.waiting_ = nullptr, true; }
    Acceptor& a_;
    std::optional<Poco::Net::StreamSocket> socket_;
};

inline Acceptor::Accept Acceptor::accept() { return Accept(*this); }

} // namespace wm::runtime
