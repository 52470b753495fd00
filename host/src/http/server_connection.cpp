#include "http/server_connection.h"

#include "http/deadline.h"

#include <algorithm>
#include <utility>

namespace wm::http {

ServerConnection::ServerConnection(runtime::Loop& loop, runtime::Abort& abort, runtime::Stream& stream,
                                   const ServerLimits& limits)
    : abort_(abort), stream_(stream), limits_(limits), clock_(loop.clock()) {}

Arrival ServerConnection::refuse(Refusal refusal) {
    refusal_ = refusal;
    close_ = true;
    return Arrival::refused;
}

Task<Arrival> ServerConnection::next(RequestHead& head) {
    auto& in = stream_.in();
    state_ = State::idle;
    status_ = 0;
    write_by_ = SteadyTime::max();
    coding_ = Coding::none;
    body_ = BodyDecoder();
    body_sent_ = body_received_ = 0;
    trailers_.clear();
    http10_ = to_head_ = continue_due_ = false;
    scanner_.reset();

    if (in.empty()) {
        // Who has just connected has something to say; who was served may rest.
        const auto rest = fresh_ ? std::min(limits_.head_timeout, limits_.idle_timeout) : limits_.idle_timeout;
        const auto first = co_await stream_.fill(rest);
        if (first.status != Io::ok) co_return first.status == Io::cancelled ? Arrival::cancelled : Arrival::closed;
    }
    fresh_ = false;
    const auto deadline = after(now(), limits_.head_timeout);
    bool empty_line = false; // some clients send one after a body; one is forgiven (RFC 9112, 2.2)
    for (;;) {
        if (!empty_line && in.view().starts_with("\r\n")) {
            in.consume(2);
            empty_line = true;
        }
        if (in.view() != "\r") {
            const auto state = scanner_.scan(in.view(), limits_.head);
            if (state == HeadScanner::State::bad) co_return refuse(scanner_.refusal());
            if (state == HeadScanner::State::found) break;
        }
        runtime::Filled more{Io::timed_out, 0};
        if (now() < deadline) more = co_await stream_.fill(until(deadline, now()));
        if (more.status == Io::cancelled) co_return Arrival::cancelled;
        if (more.status == Io::timed_out && !in.empty())
            co_return refuse({408, "the request head did not arrive in time"});
        if (more.status != Io::ok) co_return Arrival::closed;
    }
    const auto refusal = head.parse(in.view().substr(0, scanner_.size()), limits_.head);
    http10_ = head.minor_version() == 0;
    to_head_ = head.is_head();
    if (refusal) co_return refuse(*refusal);
    in.consume(scanner_.size());
    body_ = BodyDecoder(head, limits_.head);
    continue_due_ = head.expects_continue() && !body_.done();
    close_ = close_ || !head.keep_alive();
    co_return Arrival::request;
}

Task<BodyRead> ServerConnection::read_body(std::string& out, std::uint64_t max_bytes, HeldBytes::Share* share) {
    auto& in = stream_.in();
    if (body_.left() > max_bytes) co_return BodyRead::too_large;
    // A length is only a promise: what the share counts grows with what comes.
    out.reserve(out.size() + std::min<std::uint64_t>(body_.left(), HeldBytes::small));
    const auto deadline = after(now(), limits_.body_timeout);
    for (;;) {
        const auto room = max_bytes - body_received_;
        const auto step = body_.feed(
            in,
            [&](std::string_view payload) {
                out.append(payload);
                body_received_ += payload.size();
            },
            room == UINT64_MAX ? SIZE_MAX : room + 1);
        // A chunk's size is a declaration, too: what it alone makes too large is not waited for.
        if (body_received_ > max_bytes || body_.left() > max_bytes - body_received_) co_return BodyRead::too_large;
        if (share && !share->hold(out.capacity())) co_return BodyRead::crowded;
        if (step == Step::done) {
            continue_due_ = false;
            co_return BodyRead::ok;
        }
        if (step == Step::bad) {
            refuse({400, "the request body's chunks are malformed"});
            co_return BodyRead::bad;
        }
        if (std::exchange(continue_due_, false) && body_received_ == 0) {
            const auto io = co_await stream_.write("HTTP/1.1 100 Continue\r\n\r\n", limits_.write_timeout);
            if (io == Io::cancelled) co_return BodyRead::cancelled;
            if (io != Io::ok) {
                close_ = true;
                co_return BodyRead::closed;
            }
        }
        runtime::Filled more{Io::timed_out, 0};
        if (now() < deadline) more = co_await stream_.fill(until(deadline, now(), limits_.body_read_timeout));
        if (more.status == Io::ok) continue;
        close_ = true;
        if (more.status == Io::cancelled) co_return BodyRead::cancelled;
        if (more.status != Io::timed_out) co_return BodyRead::closed;
        refuse({408, "the request body did not arrive in time"});
        co_return BodyRead::timed_out;
    }
}

BodyPiece ServerConnection::read_ready(std::string& out) {
    const auto before = out.size();
    body_.keep_trailers(trailers_);
    const auto step = body_.feed(stream_.in(), out);
    body_received_ += out.size() - before;
    if (step == Step::bad) refuse({400, "the request body's chunks are malformed"});
    if (step == Step::done || out.size() > before) continue_due_ = false; // it did not wait
    return step == Step::done ? BodyPiece::end : step == Step::bad ? BodyPiece::bad : BodyPiece::more;
}

Task<BodyPiece> ServerConnection::read_some(std::string& out, Millis timeout, runtime::Abort& abort) {
    for (const auto before = out.size();;) {
        const auto piece = read_ready(out);
        if (piece != BodyPiece::more || out.size() > before) co_return piece;
        switch ((co_await stream_.fill(timeout, abort)).status) {
        case Io::ok: break;
        case Io::timed_out: co_return BodyPiece::timed_out;
        case Io::cancelled: co_return BodyPiece::cancelled;
        case Io::closed:
            if (body_.at_end_of_stream() == Step::done) co_return BodyPiece::end;
            close_ = true;
            co_return BodyPiece::truncated;
        case Io::failed: close_ = true; co_return BodyPiece::failed;
        }
    }
}

bool ServerConnection::will_close() const {
    // A client that got an answer instead of 100 Continue may or may not send its body: only a new connection is clear.
    return close_ || continue_due_ || body_.left() > limits_.drain_bytes;
}

Task<bool> ServerConnection::keep() {
    if (state_ != State::finished || abort_.fired()) co_return false;
    bool kept = !will_close();
    if (kept && !body_.done()) kept = co_await drain();
    if (kept) co_return true;
    close_ = true;
    if (!body_.done() || !stream_.in().empty()) co_await linger();
    co_return false;
}

Task<bool> ServerConnection::drain() {
    const auto deadline = after(now(), limits_.drain_timeout);
    for (std::size_t dropped = 0;;) {
        const auto step = body_.feed(stream_.in(), [&](std::string_view payload) { dropped += payload.size(); });
        if (step != Step::more) co_return step == Step::done;
        if (dropped > limits_.drain_bytes || now() >= deadline) co_return false;
        if ((co_await stream_.fill(until(deadline, now()))).status != Io::ok) co_return false;
    }
}

// Closing a socket with unread bytes resets it, which can destroy the answer before the client has read it.
Task<void> ServerConnection::linger() {
    stream_.shutdown_send();
    const auto deadline = after(now(), limits_.linger_timeout);
    for (std::size_t dropped = 0;;) {
        auto& in = stream_.in();
        dropped += in.size();
        in.consume(in.size());
        if (dropped > limits_.linger_bytes || now() >= deadline) co_return;
        if ((co_await stream_.fill(until(deadline, now()))).status != Io::ok) co_return;
    }
}

void ServerConnection::watch_client(bool on) { stream_.abort_on_hangup(on); }

} // namespace wm::http
