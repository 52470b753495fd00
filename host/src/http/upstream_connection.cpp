#include "http/deadline.h"
#include "http/idle_connections.h"
#include "http/upstream.h"

namespace wm::http {

UpstreamConnection::UpstreamConnection(std::unique_ptr<runtime::Stream> stream, std::shared_ptr<IdleConnections> home,
                                       const Limits& limits)
    : stream_(std::move(stream)), home_(std::move(home)), limits_(limits) {}

UpstreamConnection::~UpstreamConnection() = default;

Task<Io> UpstreamConnection::send(std::string_view bytes, Millis timeout) {
    sent_whole_ = false; // also while it is under way
    const auto io = co_await stream_->write(bytes, timeout);
    sent_whole_ = io == Io::ok;
    if (io == Io::failed) failure_ = stream_->failure();
    co_return io;
}

Task<HeadRead> UpstreamConnection::read_head(ResponseHead& head, Millis timeout, bool to_head) {
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
            if (head.status() >= 200) break;
            if (head.status() == 101) co_return bad("the upstream switched protocols without being asked");
            if (++interim_ > max_interim) co_return bad("the upstream sent too many interim answers");
            continue;
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
    body_ = BodyDecoder(head, limits_);
    keep_alive_ = head.keep_alive();
    head_done_ = true;
    co_return HeadRead::ok;
}

Task<BodyPiece> UpstreamConnection::read_some(std::string& out, Millis timeout) {
    if (!head_done_) {
        failure_ = "the body was asked for before the head";
        co_return BodyPiece::bad;
    }
    for (const auto before = out.size();;) {
        const auto step = body_.feed(stream_->in(), out);
        if (step == Step::done) co_return BodyPiece::end;
        if (step == Step::bad) {
            failure_ = "the chunks of the upstream's answer are malformed";
            co_return BodyPiece::bad;
        }
        if (out.size() > before) co_return BodyPiece::more;
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

bool UpstreamConnection::reusable() const {
    return head_done_ && body_.done() && keep_alive_ && sent_whole_ && stream_->in().empty();
}

void UpstreamConnection::watch_peer(bool on) { stream_->abort_on_hangup(on); }

void UpstreamConnection::give_back(std::unique_ptr<UpstreamConnection> connection) {
    if (connection->reusable()) connection->home_->put(std::move(connection->stream_));
}

} // namespace wm::http
