#include "runtime/acceptor.h"
#include <Poco/Net/StreamSocketImpl.h>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace wm::runtime {

namespace {

struct AcceptedSocket : Poco::Net::StreamSocket { // the constructor that takes an implementation is protected
    explicit AcceptedSocket(int fd) : StreamSocket(new Poco::Net::StreamSocketImpl(fd)) {}
};

// Inherited by every accepted connection. Without it a socket takes megabytes and says that it takes more only when a
// third of them have gone: a client that reads slowly then looks like one that does not read, and the kernel holds what
// we believe to be written.
constexpr int most_unsent = 128 * 1024;

// The connection died in the queue; the next one may be fine.
bool passing(int error) { return error == ECONNABORTED || error == EINTR || error == EPROTO; }

} // namespace

Acceptor::Acceptor(Loop& loop, Abort& abort, Poco::Net::ServerSocket& socket)
    : loop_(loop), abort_(abort), fd_(socket.impl()->sockfd()) {
    socket.setBlocking(false);
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &most_unsent, sizeof most_unsent);
    loop_.watch(fd_, *this);
}

Acceptor::~Acceptor() { loop_.unwatch(fd_); }

void Acceptor::on_ready(bool, bool, bool) {
    if (waiting_ && waiting_->attempt()) waiting_->finish(waiting_->status_);
}

// Not ServerSocket::acceptConnection, which throws when there is none.
bool Acceptor::Accept::attempt() {
    int fd;
    do fd = ::accept4(a_.fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    while (fd < 0 && passing(errno));
    if (fd >= 0) {
        const int on = 1; // fails on a connection that is already reset, which reading will tell
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        socket_ = AcceptedSocket(fd);
        return true;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) return false;
    status_ = Io::failed;
    return true;
}

} // namespace wm::runtime
