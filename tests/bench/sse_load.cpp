// Opens many chat streams at once to 127.0.0.1 and prints one JSON object: how many ended with [DONE], errors, and the
// milliseconds from the request to the first byte and to the end.
#include "load_options.h"

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

namespace wm::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Long enough to see the last event and the last chunk whatever the reads were cut into.
constexpr std::size_t tail_bytes = 64;

double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

double percentile(std::vector<double>& values, double part) {
    if (values.empty()) {
        return 0;
    }
    const auto index = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(index), values.end());
    return values[index];
}

struct Stream {
    Clock::time_point begun;
    bool sent = false;
    bool answered = false;
    std::string head; // until the status line is known
    std::string tail;
};

class Load {
  public:
    explicit Load(const LoadOptions& options) : options_(options), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
        const std::string body = "{\"model\":\"" + options.model +
                                 "\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"" +
                                 std::string(900, 'x') + "\"}]}";
        request_ = "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                   "Content-Length: " +
                   std::to_string(body.size()) + "\r\n\r\n" + body;
    }
    ~Load() { ::close(epoll_); }
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    void run();
    void print();

  private:
    void open_one();
    void on_event(int fd);
    void send_request(int fd, Stream& stream);
    void on_bytes(int fd, Stream& stream, std::string_view bytes);
    void end(int fd, bool good);

    const LoadOptions& options_;
    int epoll_;
    std::string request_;
    std::unordered_map<int, Stream> open_;
    std::vector<double> first_;
    std::vector<double> total_;
    int errors_ = 0;
    std::string example_; // the first answer that was none
};

void Load::open_one() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(options_.port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT;
    event.data.fd = fd;
    if (fd < 0 || (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 && errno != EINPROGRESS) ||
        ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0) {
        ++errors_;
        if (fd >= 0) {
            ::close(fd);
        }
        return;
    }
    open_[fd].begun = Clock::now();
}

void Load::end(int fd, bool good) {
    const auto found = open_.find(fd);
    if (good) {
        total_.push_back(milliseconds(Clock::now() - found->second.begun));
    } else {
        ++errors_;
        if (example_.empty()) {
            example_ = found->second.head.substr(0, found->second.head.find('\r'));
        }
    }
    open_.erase(found);
    ::close(fd);
}

// The request is small enough for a fresh socket's buffer, so it goes out whole or the stream is an error.
void Load::send_request(int fd, Stream& stream) {
    if (::send(fd, request_.data(), request_.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request_.size())) {
        end(fd, false);
        return;
    }
    stream.sent = true;
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    ::epoll_ctl(epoll_, EPOLL_CTL_MOD, fd, &event);
}

void Load::on_bytes(int fd, Stream& stream, std::string_view bytes) {
    if (!stream.answered) {
        stream.answered = true;
        first_.push_back(milliseconds(Clock::now() - stream.begun));
    }
    if (stream.head.size() < 12) {
        stream.head.append(bytes.substr(0, 64));
    }
    stream.tail.append(bytes.substr(bytes.size() - std::min(bytes.size(), tail_bytes)));
    if (stream.tail.size() > tail_bytes) {
        stream.tail.erase(0, stream.tail.size() - tail_bytes);
    }
    if (stream.head.size() >= 12 && !stream.head.starts_with("HTTP/1.1 200")) {
        end(fd, false);
    } else if (stream.tail.ends_with("\r\n0\r\n\r\n")) {
        end(fd, stream.tail.find("data: [DONE]") != std::string::npos);
    }
}

void Load::on_event(int fd) {
    const auto found = open_.find(fd);
    if (found == open_.end()) {
        return;
    }
    Stream& stream = found->second;
    if (!stream.sent) {
        send_request(fd, stream);
        return;
    }
    char buffer[65536];
    const ssize_t got = ::recv(fd, buffer, sizeof buffer, 0);
    if (got > 0) {
        on_bytes(fd, stream, {buffer, static_cast<std::size_t>(got)});
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        end(fd, false);
    }
}

void Load::run() {
    const auto deadline = Clock::now() + std::chrono::seconds(options_.seconds);
    std::vector<epoll_event> events(1024);
    int opened = 0;
    while (opened < options_.streams || !open_.empty()) {
        // In small groups, so that answers are read while others are still connecting.
        for (int i = 0; i < 64 && opened < options_.streams; ++i, ++opened) {
            open_one();
        }
        const int timeout = opened < options_.streams ? 0 : 100;
        const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), timeout);
        for (int i = 0; i < count; ++i) {
            on_event(events[static_cast<std::size_t>(i)].data.fd);
        }
        if (Clock::now() > deadline) {
            errors_ += options_.streams - opened;
            opened = options_.streams;
            while (!open_.empty()) {
                end(open_.begin()->first, false);
            }
        }
    }
}

void Load::print() {
    std::printf("{\"done\":%zu,\"errors\":%d,\"first_p50\":%.1f,\"first_p99\":%.1f,\"total_p50\":%.1f,"
                "\"total_p99\":%.1f}\n",
                total_.size(), errors_, percentile(first_, 0.5), percentile(first_, 0.99), percentile(total_, 0.5),
                percentile(total_, 0.99));
    if (errors_ > 0) {
        std::fprintf(stderr, "sse_load: %d streams failed, one with: %s\n", errors_,
                     example_.empty() ? "no answer" : example_.c_str());
    }
}

} // namespace
} // namespace wm::bench

int main(int argc, char** argv) {
    wm::bench::LoadOptions options;
    if (!wm::bench::read_options(argc, argv, options)) {
        return 2;
    }
    wm::bench::Load load(options);
    load.run();
    load.print();
}
