#include "runtime/stream.h"
#include "runtime/tls_socket.h"
#include <Poco/Net/SocketAddress.h>
#include <cerrno>
#include <sys/socket.h>
#include <system_error>

namespace wm::runtime {

using Result = Step::Result;

namespace {
std::string message(int error) { return std::generic_category().message(error); }
bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK; }
} // namespace

Stream::Stream(Loop& loop, Abort& abort, Poco::Net::StreamSocket socket, Start start)
    : loop_(loop), abort_(&abort), socket_(std::move(socket)), fd_(socket_.impl()->sockfd()),
      tls_(dynamic_cast<TlsSocket*>(socket_.impl())), readable_(start == Start::accepted), writable_(readable_) {
    socket_.setBlocking(false);
    loop_.watch(fd_, *this);
}

Stream::~Stream() {
    if (tls_ && !broken_) tls_->say_goodbye();
    loop_.unwatch(fd_);
}

void Stream::on_ready(bool in, bool out, bool hangup) {
    hangup_ |= hangup;
    if (in || (out && read_wants_write_)) readable_ = true, read_wants_write_ = false;
    if (out || (in && write_wants_read_)) writable_ = true, write_wants_read_ = false;
    if (filler_) filler_->poke();
    if (writer_) writer_->poke();
    if (bool progress; !writer_ && !posted_.empty()) flush_posted(posted_.size(), progress);
    if (hangup && abort_on_hangup_) abort_->fire();
}

void Stream::run() {
    if (writer_) writer_->poke();
}

void Stream::abort_on_hangup(bool on) {
    abort_on_hangup_ = on;
    if (on && hangup_) abort_->fire();
}

bool Stream::fail(std::string why) {
    failure_ = std::move(why);
    return true;
}

Step Stream::receive(std::span<char> into) {
    if (tls_) {
        const auto step = tls_->receive(into);
        if (step.result == Result::failed) fail(tls_->failure());
        if (step.result == Result::want_read || step.result == Result::want_write) readable_ = false;
        read_wants_write_ = step.result == Result::want_write;
        return step;
    }
    const auto n = ::recv(fd_, into.data(), into.size(), 0);
    if (n < 0 && would_block(errno)) return readable_ = false, Step{Result::want_read};
    if (n < 0) return fail(message(errno)), Step{Result::failed};
    // A short read has emptied the socket, and what comes next raises an edge; but the end may have come already.
    if (std::size_t(n) < into.size() && !hangup_) readable_ = false;
    return n == 0 ? Step{Result::closed} : Step{Result::done, std::size_t(n)};
}

Step Stream::send(std::string_view data) {
    if (tls_) {
        const auto step = tls_->send(data);
        if (step.result == Result::failed) fail(tls_->failure());
        if (step.result == Result::want_read || step.result == Result::want_write) writable_ = false;
        write_wants_read_ = step.result == Result::want_read;
        return step;
    }
    const auto n = ::send(fd_, data.data(), data.size(), MSG_NOSIGNAL);
    if (n < 0 && would_block(errno)) return writable_ = false, Step{Result::want_write};
    if (n < 0) return fail(message(errno)), Step{Result::failed};
    return {Result::done, std::size_t(n)};
}

bool Stream::flush_posted(std::size_t limit, bool& progress) {
    while (limit > 0 && !broken_) {
        if (!writable_) return false;
        const auto step = send(posted_.view().substr(0, limit));
        if (step.result == Result::want_read || step.result == Result::want_write) return false;
        if (step.result != Result::done) broken_ = true;
        posted_.consume(step.bytes);
        limit -= step.bytes;
        progress = true;
    }
    if (broken_) posted_.consume(posted_.size());
    return true;
}

bool Stream::post(std::string_view data) {
    if (broken_ || posted_.size() + data.size() > max_posted) return false;
    posted_.append(data);
    if (bool progress; !writer_) flush_posted(posted_.size(), progress);
    return !broken_;
}

void Stream::reset() {
    broken_ = true; // so that TLS says no goodbye either
    const linger at_once{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

void Stream::shutdown_send() {
    if (tls_ && !broken_) tls_->say_goodbye();
    broken_ = true;
    ::shutdown(fd_, SHUT_WR);
}

bool Stream::stale() const {
    if (hangup_ || (tls_ && tls_->has_input())) return true;
    if (!readable_) return false;
    char byte; // readable_ may just mean that nobody has tried yet
    return ::recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || !would_block(errno);
}

bool Stream::Connected::attempt() {
    if (!s_.writable_) return false;
    int error = 0;
    socklen_t size = sizeof error;
    if (::getsockopt(s_.fd_, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    if (error != 0) {
        status_ = Io::failed;
        return s_.broken_ = s_.fail(message(error));
    }
    s_.readable_ = true;
    return true;
}

bool Stream::Handshake::attempt() {
    if (!s_.tls_) return true;
    if (!s_.writable_ && !s_.readable_) return false; // not yet connected
    const auto step = s_.tls_->handshake();
    switch (step.result) {
    case Result::want_read:
    case Result::want_write: return false;
    case Result::done: s_.readable_ = s_.writable_ = true; return true; // OpenSSL may hold the first data already
    default: break;
    }
    status_ = Io::failed;
    return s_.broken_ =
               s_.fail(step.result == Result::closed ? "the peer left during the handshake" : s_.tls_->failure());
}

bool Stream::Fill::attempt() {
    if (!s_.readable_) return false;
    const auto scratch = loop_.scratch();
    const auto step = s_.receive(scratch);
    switch (step.result) {
    case Result::want_read:
    case Result::want_write: return false;
    case Result::done:
        s_.in_.append({scratch.data(), bytes_ = step.bytes});
        loop_.spend_bytes(step.bytes);
        break;
    case Result::closed: status_ = Io::closed; break;
    case Result::failed: status_ = Io::failed; break;
    }
    return true;
}

bool Stream::Write::attempt() {
    bool progress = false;
    const auto blocked = [&] {
        if (begun_ && progress) {
            const auto left = until(by_, s_, timeout_);
            if (left == Millis(0)) return status_ = Io::timed_out, true; // however it goes on
            restart_timeout(left);
        }
        begun_ = true;
        return false;
    };
    const auto failed = [&] {
        status_ = Io::failed;
        if (s_.failure_.empty()) s_.fail("an earlier write was given up");
        return s_.broken_ = true;
    };
    const auto before = s_.posted_.size();
    const bool flushed = s_.flush_posted(ahead_, progress);
    ahead_ -= before - s_.posted_.size();
    if (!flushed) return blocked();
    for (std::size_t sent = 0; !s_.broken_ && !data_.empty();) {
        if (!s_.writable_) return blocked();
        if (sent >= slice) return s_.run_again(), blocked();
        const auto step = s_.send(data_.substr(0, slice));
        if (step.result == Result::want_read || step.result == Result::want_write) return blocked();
        if (step.result != Result::done) return failed();
        data_.remove_prefix(step.bytes);
        sent += step.bytes;
        loop_.spend_bytes(step.bytes);
        progress = true;
    }
    if (s_.broken_) return failed();
    if (!s_.posted_.empty()) s_.flush_posted(s_.posted_.size(), progress); // posted meanwhile: behind this one
    return true;
}

void Stream::Write::give_up() {
    if (!begun_) return; // cancelled before the first attempt
    if (s_.failure_.empty()) s_.fail("a write was given up");
    s_.broken_ = true;
}

wm::Result<Poco::Net::StreamSocket, NotBegun> start_connect(const Poco::Net::SocketAddress& address) {
    try {
        Poco::Net::StreamSocket socket(address.family());
        socket.connectNB(address);
        socket.setNoDelay(true);
        return socket;
    } catch (const Poco::Exception& e) {
        return Failure{NotBegun{e.displayText(), lack_of(e.code())}};
    }
}

} // namespace wm::runtime
