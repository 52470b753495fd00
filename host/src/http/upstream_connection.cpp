#include "http/deadline.h"
#include "http/idle_connections.h"
#include "http/upstream.h"

namespace wm::http {

UpstreamConnection::UpstreamConnection(std::unique_ptr<runtime::Stream> stream, std::shared_ptr<IdleConnections> home,
                                       unsigned epoch, const Limits& limits)
    : stream_(std::move(stream)), home_(std::move(home)), epoch_(epoch), limits_(limits) {}

UpstreamConnection::~UpstreamConnection() = default;

Task<Io> UpstreamConnection::send(std::string_view bytes, Millis timeout, SteadyTime by) {
    return send(bytes, timeout, by, stream_->owner());
}

Task<Io> UpstreamConnection::send(std::string_view bytes, Millis timeout, SteadyTime by, runtime::Abort& abort) {
    sent_whole_ = false; // also while it is under way
    const auto io = co_await stream_->write(bytes, timeout, by, abort);
    sent_whole_ = io == Io::ok;
    if (io == Io::failed) failure_ = stream_->failure();
    co_return io;
}

Task<HeadRead> UpstreamConnection::read_head(ResponseHead& head, Millis timeout, bool to_head) {
    const auto& clock = stream_->loop().clock();
    const auto deadline = after(clock.now(), timeout);
    for (;;) {
        const auto read = co_await next_head(head, until(deadline, clock.now()), to_head);
        if (read != HeadRead::ok || head.status() >= 200) co_return read;
        if (head.status() == 101) {
            head_done_ = false; // what follows is nothing that a caller of this one could read
            failure_ = "the upstream switched protocols without being asked";
            co_return HeadRead::bad;
        }
    }
}

Task<HeadRead> UpstreamConnection::next_head(ResponseHead& head, Millis timeout, bool to_head) {
    constexpr int max_interim = 8;
    const auto& clock = stream_->loop().clock();
    const auto deadline = after(clock.now(), timeout);
    const auto bad = [this](std::string_view why) { return failure_ = why, HeadRead::bad; };
    for (;;) {
        auto& in = stream_->in();
        received_ = received_ || !in.empty();
        const auto state = scanner_.scan(in.view(), limits_);
        if (state == HeadScanner::State::bad) co_return bad(scanner_.refusal().reason);
        if (state == HeadScanner::State::found) {
            if (const auto refusal = head.parse(in.view().substr(0, scanner_.size()), to_head, limits_))
                co_return bad(refusal->reason);
            in.consume(scanner_.size());
            scanner_.reset();
            break;
        }
        const auto now = clock.now();
        runtime::Filled more{Io::timed_out, 0};
        if (now < deadline) more = co_await stream_->fill(until(deadline, now));
        switch (more.status) {
        case Io::ok: break;
        case Io::timed_out: co_return HeadRead::timed_out;
        case Io::cancelled: co_return HeadRead::cancelled;
        case Io::closed:
            if (!received_) co_return HeadRead::closed;
            failure_ = "the upstream ended the connection within the head of its answer";
            co_return HeadRead::failed;
        case Io::failed: failure_ = stream_->failure(); co_return HeadRead::failed;
        }
    }
    if (head.status() < 200 && head.status() != 101) {
        if (++interim_ > max_interim) co_return bad("the upstream sent too many interim answers");
        co_return HeadRead::ok;
    }
    const bool switched = head.status() == 101;
    body_ = switched ? BodyDecoder(Framing::until_close, 0, limits_) : BodyDecoder(head, limits_);
    body_.keep_trailers(trailers_);
    keep_alive_ = !switched && head.keep_alive();
    head_done_ = true;
    co_return HeadRead::ok;
}

Task<BodyPiece> UpstreamConnection::read_some(std::string& out, Millis timeout) {
    if (!head_done_) {
        failure_ = "the body was asked for before the head";
        co_return BodyPiece::bad;
    }
    for (const auto before = out.size();;) {
        const auto piece = read_ready(out);
        if (piece != BodyPiece::more || out.size() > before) co_return piece;
        switch ((co_await stream_->fill(timeout)).status) {
        case Io::ok: break;
        case Io::timed_out: co_return BodyPiece::timed_out;
        case Io::cancelled: co_return BodyPiece::cancelled;
        case Io::closed:
            if (body_.at_end_of_stream() == Step::done) co_return BodyPiece::end;
            failure_ = "the upstream ended the connection within the body of its answer";
            co_return BodyPiece::truncated;
        case Io::failed: failure_ = stream_->failure(); co_return BodyPiece::failed;
        }
    }
}

BodyPiece UpstreamConnection::read_ready(std::string& out) {
    const auto step = body_.feed(stream_->in(), out);
    if (step == Step::bad) failure_ = "the chunks of the upstream's answer are malformed";
    return step == Step::done ? BodyPiece::end : step == Step::bad ? BodyPiece::bad : BodyPiece::more;
}

bool UpstreamConnection::reusable() const {
    return head_done_ && body_.done() && keep_alive_ && sent_whole_ && stream_->in().empty();
}

void UpstreamConnection::give_back(std::unique_ptr<UpstreamConnection> connection,
                                   std::optional<std::size_t> most_idle) {
    if (connection->reusable()) connection->home_->put(std::move(connection->stream_), connection->epoch_, most_idle);
}

} // namespace wm::http
