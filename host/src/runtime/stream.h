#pragma once
// A buffered non-blocking stream over a plain socket or one from tls.h.
// [loop thread] It belongs to one loop. One fill and one write may be under way at the same time, in two coroutines;
// connected and handshake are done before either. It outlives the awaits on it.
#include "base/result.h"
#include "runtime/buffer.h"
#include "runtime/lack.h"
#include "runtime/transport.h"
#include "runtime/waiter.h"
#include <Poco/Net/StreamSocket.h>
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace wm::runtime {

class TlsSocket;

class Stream final : private Watcher, private Runnable {
  public:
    enum class Start { accepted, connecting };
    Stream(Loop& loop, Abort& abort, Poco::Net::StreamSocket socket, Start start); // makes the socket non-blocking
    ~Stream(); // TLS says goodbye if that does not block
    Stream(const Stream&) = delete;

    class Connected;
    class Handshake;
    class Fill;
    class Write;
    Connected connected(Millis timeout);     // -> Io
    Handshake handshake(Millis timeout);     // -> Io; at once on a plain socket
    Fill fill(Millis timeout);               // -> Filled; bytes land in in(); closed: the peer's clean end
    Fill fill(Millis timeout, Abort& abort); // the same, cancelled by this one alone
    // -> Io; all of it. `data` outlives the await. The timeout restarts on progress, but never reaches beyond `by`. One
    // that was given up (timed out, cancelled) makes all later writes fail: the peer is left in the middle of
    // something.
    Write write(std::string_view data, Millis timeout, SteadyTime by = SteadyTime::max());
    Write write(std::string_view data, Millis timeout, SteadyTime by, Abort& abort); // cancelled by this one alone

    // Puts data behind whatever is being written and does not wait: sent at once if possible, else kept (up to
    // 16 KiB) and sent when the peer reads on, before the next write. False: no room, or a broken stream; nothing was
    // sent.
    bool post(std::string_view data);
    void reset();         // no more from here: the peer will see a reset when this goes, not an end
    void shutdown_send(); // no more from here: FIN, or TLS's goodbye and FIN. For half-close and lingering.

    Buffer& in() { return in_; }
    bool stale() const;                           // an idle peer spoke or left: do not send it a request
    bool hung_up() const { return hangup_; }      // the peer closed its side (a half-close looks the same) or is gone
    void abort_on_hangup(bool on);                // such a peer fires the abort; at once if it has already left
    void owner(Abort& abort) { abort_ = &abort; } // for the awaits from now on
    Abort& owner() const { return *abort_; }
    std::string_view failure() const { return failure_; } // for logs: why something failed; empty if nothing did

    Loop& loop() const { return loop_; }

  private:
    class Op;
    static constexpr std::size_t max_posted = 16 * 1024;
    static constexpr std::size_t slice = 128 * 1024; // of a long write, before others get their turn

    void on_ready(bool in, bool out, bool hangup) override;
    void run() override; // the next slice
    void run_again() {
        if (alone()) loop_.ready(*this);
    }
    Step receive(std::span<char> into);
    Step send(std::string_view data);                     // clears writable_ when it would block
    bool flush_posted(std::size_t limit, bool& progress); // true: the first `limit` bytes are gone, or it failed
    bool fail(std::string why);

    Loop& loop_;
    Abort* abort_;
    Poco::Net::StreamSocket socket_;
    const int fd_;
    TlsSocket* const tls_;
    Op* filler_ = nullptr;
    Op* writer_ = nullptr; // also connected and handshake
    Buffer in_;
    Buffer posted_;
    std::string failure_;
    bool readable_, writable_; // an attempt may get somewhere
    bool hangup_ = false;
    bool abort_on_hangup_ = false;
    bool read_wants_write_ = false, write_wants_read_ = false; // TLS may need the other direction
    bool broken_ = false;                                      // nothing more can be written
};

class Stream::Op : public Waiter {
  public:
    void poke() {
        if (attempt()) finish(status_);
    }

  protected:
    Op(Stream& s, Op* Stream::*slot, Millis timeout) : Op(s, slot, timeout, *s.abort_) {}
    Op(Stream& s, Op* Stream::*slot, Millis timeout, Abort& abort)
        : Waiter(s.loop_, abort, timeout), s_(s), slot_(slot) {}
    ~Op() = default;
    bool attach() final { return s_.*slot_ = this, true; }
    bool detach() final { return s_.*slot_ = nullptr, true; }

    Stream& s_;

  private:
    Op* Stream::*const slot_;
};

class [[nodiscard]] Stream::Connected final : public Op {
  public:
    Connected(Stream& s, Millis timeout) : Op(s, &Stream::writer_, timeout) {}
    Io await_resume() const { return status_; }

  private:
    bool attempt() override;
};

class [[nodiscard]] Stream::Handshake final : public Op {
  public:
    Handshake(Stream& s, Millis timeout) : Op(s, &Stream::writer_, timeout) {}
    Io await_resume() const { return status_; }

  private:
    bool attempt() override;
};

class [[nodiscard]] Stream::Fill final : public Op {
  public:
    Fill(Stream& s, Millis timeout, Abort& abort) : Op(s, &Stream::filler_, timeout, abort) {}
    Filled await_resume() const { return {status_, bytes_}; }

  private:
    bool attempt() override;
    std::size_t bytes_ = 0;
};

class [[nodiscard]] Stream::Write final : public Op {
  public:
    Write(Stream& s, std::string_view data, Millis timeout, SteadyTime by, Abort& abort)
        : Op(s, &Stream::writer_, until(by, s, timeout), abort), data_(data), ahead_(s.posted_.size()),
          timeout_(timeout), by_(by) {}
    Io await_resume() {
        if (status_ == Io::timed_out || status_ == Io::cancelled) give_up();
        return status_;
    }

  private:
    static Millis until(SteadyTime by, const Stream& s, Millis timeout) {
        if (by == SteadyTime::max()) return timeout;
        return std::clamp(std::chrono::ceil<Millis>(by - s.loop_.clock().now()), Millis(0), timeout);
    }
    bool attempt() override;
    void give_up();
    std::string_view data_;
    std::size_t ahead_; // posted before this write: goes first
    const Millis timeout_;
    const SteadyTime by_;
    bool begun_ = false;
};

inline Stream::Connected Stream::connected(Millis timeout) { return {*this, timeout}; }
inline Stream::Handshake Stream::handshake(Millis timeout) { return {*this, timeout}; }
inline Stream::Fill Stream::fill(Millis timeout) { return {*this, timeout, *abort_}; }
inline Stream::Fill Stream::fill(Millis timeout, Abort& abort) { return {*this, timeout, abort}; }
inline Stream::Write Stream::write(std::string_view data, Millis timeout, SteadyTime by) {
    return {*this, data, timeout, by, *abort_};
}
inline Stream::Write Stream::write(std::string_view data, Millis timeout, SteadyTime by, Abort& abort) {
    return {*this, data, timeout, by, abort};
}

// Why a connection could not even be begun.
struct NotBegun {
    std::string why; // for a log
    Lack lack = Lack::none;
};

// A socket that is connecting to an address.
Result<Poco::Net::StreamSocket, NotBegun> start_connect(const Poco::Net::SocketAddress& address);

} // namespace wm::runtime
