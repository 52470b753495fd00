#include "runtime/poller.h"
#include <algorithm>
#include <cerrno>
#include <sys/epoll.h>
#include <system_error>
#include <unistd.h>

namespace wm::runtime {

Poller::Poller() : fd_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
}

Poller::~Poller() { ::close(fd_); }

void Poller::add(int fd, Watcher& watcher) {
    epoll_event e{};
    e.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    e.data.ptr = &watcher;
    if (::epoll_ctl(fd_, EPOLL_CTL_ADD, fd, &e) != 0)
        throw std::system_error(errno, std::generic_category(), "epoll_ctl");
}

void Poller::remove(int fd) { ::epoll_ctl(fd_, EPOLL_CTL_DEL, fd, nullptr); }

void Poller::wait(Millis limit) {
    epoll_event events[256];
    const int ms = limit == forever ? -1 : int(std::min<Millis::rep>(limit.count(), 60'000));
    const int n = ::epoll_wait(fd_, events, 256, ms);
    for (int i = 0; i < n; ++i) {
        const auto e = events[i].events;
        static_cast<Watcher*>(events[i].data.ptr)
            ->on_ready(e & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR), e & (EPOLLOUT | EPOLLHUP | EPOLLERR),
                       e & (EPOLLRDHUP | EPOLLHUP | EPOLLERR));
    }
}

} // namespace wm::runtime
