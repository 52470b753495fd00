#include "connection.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace wm::mock {

Connection::~Connection() { ::close(fd_); }

Connection::Wish Connection::on_readable() {
    if (!read_all()) {
        return {.close = true, .wait_writable = false, .wake_at = std::nullopt};
    }
    return pump();
}

Connection::Wish Connection::on_writable() { return pump(); }

Connection::Wish Connection::on_time() { return pump(); }

bool Connection::read_all() {
    char buffer[65536];
    for (;;) {
        const ssize_t got = ::recv(fd_, buffer, sizeof buffer, 0);
        if (got > 0) {
            in_.append(buffer, static_cast<std::size_t>(got));
            if (got < static_cast<ssize_t>(sizeof buffer)) {
                return true;
            }
        } else {
            return got < 0 && (errno == EAGAIN || errno == EINTR);
        }
    }
}

bool Connection::flush() {
    while (sent_ < out_.size()) {
        const ssize_t put = ::send(fd_, out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL);
        if (put < 0) {
            return errno == EAGAIN || errno == EINTR;
        }
        sent_ += static_cast<std::size_t>(put);
    }
    out_.clear();
    sent_ = 0;
    return true;
}

// One thing the play does; it ends with play_ empty, or waiting_ for due_, or more to do.
void Connection::step(Clock::time_point now) {
    if (!opened_) {
        out_ += play_->opening;
        opened_ = true;
    } else if (word_ < play_->limit) {
        out_ += chunk_of(play_->dialect->piece(play_->ask, play_->words.at(word_), word_));
        ++word_;
    } else {
        if (play_->closing) {
            out_ += chunk_of(play_->dialect->closing(play_->ask, play_->words));
        }
        if (play_->ending == Ending::hang) {
            waiting_ = true;
            due_ = Clock::time_point::max();
            return;
        }
        if (play_->ending == Ending::cut) {
            close_after_ = true;
        } else if (play_->chunked) {
            out_ += "0\r\n\r\n";
        }
        play_.reset();
        return;
    }
    if (play_->every_ms > 0 && word_ > 0 && word_ < play_->limit) { // the first follows the opening at once
        due_ = now + std::chrono::milliseconds(play_->every_ms);
        waiting_ = true;
    }
}

void Connection::advance(Clock::time_point now) {
    for (;;) {
        if (waiting_ && now < due_) {
            return;
        }
        waiting_ = false;
        if (play_) {
            step(now);
            continue;
        }
        if (close_after_) {
            return;
        }
        HttpRequest request;
        std::size_t used = 0;
        const Parsed parsed = parse_request(in_, request, used);
        if (parsed == Parsed::incomplete) {
            return;
        }
        if (parsed == Parsed::broken) {
            out_ += "HTTP/1.1 400 Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            close_after_ = true;
            return;
        }
        in_.erase(0, used);
        play_ = script(request, settings_);
        close_after_ = request.close;
        opened_ = false;
        word_ = 0;
        due_ = now + std::chrono::milliseconds(play_->before_ms);
        waiting_ = play_->before_ms > 0;
    }
}

Connection::Wish Connection::pump() {
    Wish wish;
    const bool backed_up = !out_.empty();
    if (!backed_up) {
        advance(Clock::now());
    }
    if (!flush()) {
        wish.close = true;
        return wish;
    }
    wish.wait_writable = !out_.empty();
    wish.close = out_.empty() && close_after_ && !play_;
    if (waiting_ && due_ != Clock::time_point::max()) {
        wish.wake_at = due_;
    }
    if (backed_up && !wish.close && !wish.wait_writable) {
        return pump(); // the way is clear again: go on where it stopped
    }
    return wish;
}

} // namespace wm::mock
