#include "server.h"

#include "connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <queue>
#include <unordered_map>
#include <vector>

namespace wm::mock {
namespace {

struct Timer {
    Clock::time_point at;
    int fd;
    std::uint64_t id;
    bool operator>(const Timer& other) const { return at > other.at; }
};

struct Client {
    std::unique_ptr<Connection> connection;
    bool wait_writable = false; // what epoll was told last
};

class Server {
  public:
    Server(int listener, const Settings& settings) : settings_(settings), listener_(listener) {}

    int run();

  private:
    bool watch(int operation, int fd, std::uint32_t events);
    void accept_all();
    void apply(int fd, const Connection::Wish& wish);
    void on_event(const epoll_event& event);
    int next_timeout() const;
    void fire_timers();

    const Settings& settings_;
    int listener_;
    int epoll_ = -1;
    int signals_ = -1;
    bool stop_ = false;
    std::uint64_t next_id_ = 1;
    std::unordered_map<int, Client> clients_;
    std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
};

bool Server::watch(int operation, int fd, std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    return ::epoll_ctl(epoll_, operation, fd, &event) == 0;
}

void Server::accept_all() {
    for (;;) {
        const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            return;
        }
        const int one = 1;
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        clients_[fd] = {std::make_unique<Connection>(fd, next_id_++, settings_), false};
        watch(EPOLL_CTL_ADD, fd, EPOLLIN);
    }
}

void Server::apply(int fd, const Connection::Wish& wish) {
    if (wish.close) {
        clients_.erase(fd);
        return;
    }
    Client& client = clients_.at(fd);
    if (wish.wait_writable != client.wait_writable) {
        client.wait_writable = wish.wait_writable;
        watch(EPOLL_CTL_MOD, fd, wish.wait_writable ? EPOLLIN | EPOLLOUT : EPOLLIN);
    }
    if (wish.wake_at) {
        timers_.push({*wish.wake_at, fd, client.connection->id()});
    }
}

void Server::on_event(const epoll_event& event) {
    const int fd = event.data.fd;
    if (fd == listener_) {
        accept_all();
    } else if (fd == signals_) {
        stop_ = true;
    } else if (const auto found = clients_.find(fd); found != clients_.end()) {
        if ((event.events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0) {
            apply(fd, found->second.connection->on_readable());
        } else {
            apply(fd, found->second.connection->on_writable());
        }
    }
}

int Server::next_timeout() const {
    if (timers_.empty()) {
        return -1;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(timers_.top().at - Clock::now()).count();
    return left < 0 ? 0 : static_cast<int>(left);
}

void Server::fire_timers() {
    const auto now = Clock::now();
    while (!timers_.empty() && timers_.top().at <= now) {
        const Timer timer = timers_.top();
        timers_.pop();
        const auto found = clients_.find(timer.fd);
        if (found != clients_.end() && found->second.connection->id() == timer.id) {
            apply(timer.fd, found->second.connection->on_time());
        }
    }
}

int Server::run() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    signals_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
    if (signals_ < 0 || epoll_ < 0 || !watch(EPOLL_CTL_ADD, listener_, EPOLLIN) ||
        !watch(EPOLL_CTL_ADD, signals_, EPOLLIN)) {
        std::perror("mock_provider: cannot set up its event loop");
        return 1;
    }
    std::vector<epoll_event> events(512);
    while (!stop_) {
        const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), next_timeout());
        for (int i = 0; i < count; ++i) {
            on_event(events[static_cast<std::size_t>(i)]);
        }
        fire_timers();
    }
    clients_.clear();
    ::close(epoll_);
    ::close(signals_);
    return 0;
}

} // namespace

int listen_on(std::uint16_t& port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int one = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(fd, 8192) != 0 ||
        ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        return -1;
    }
    port = ntohs(address.sin_port);
    return fd;
}

int serve(int listener, const Settings& settings) { return Server(listener, settings).run(); }

} // namespace wm::mock
