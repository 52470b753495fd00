#include "http/deadline.h"
#include "http/idle_connections.h"
#include "http/upstream.h"

#include <algorithm>
#include <system_error>

namespace wm::http {

UpstreamPool::UpstreamPool(runtime::Loop& loop, runtime::Resolver& resolver, const PoolLimits& limits)
    : loop_(loop), resolver_(resolver), limits_(limits),
      pruning_(loop, std::max(limits.idle_timeout / 4, Millis(100)), [this] { prune(); }) {}

UpstreamPool::~UpstreamPool() {
    for (const auto& [origin, home] : homes_) home->close();
}

UpstreamPool::Home UpstreamPool::home(const Origin& origin) {
    auto& home = homes_[origin];
    if (!home)
        home = std::make_shared<IdleConnections>(loop_.clock(), limits_.idle_timeout, limits_.max_idle_per_origin);
    return home;
}

// Without it the connections of an origin nobody asks for again would stay open, and the origin in memory.
void UpstreamPool::prune() {
    for (const auto& [origin, home] : homes_) home->prune();
    std::erase_if(homes_, [](const auto& entry) { return entry.second->size() == 0 && entry.second.use_count() == 1; });
}

void UpstreamPool::close_idle() {
    for (const auto& [origin, home] : homes_) home->clear();
    contexts_.clear();
}

// Out of descriptors, those who rest make way for who is asked for. True: it may be tried once more.
bool UpstreamPool::make_room(runtime::Lack lack) {
    if (lack != runtime::Lack::descriptors || idle() == 0) return false;
    for (const auto& [origin, home] : homes_) home->drop_idle();
    return true;
}

std::size_t UpstreamPool::idle() const {
    std::size_t n = 0;
    for (const auto& [origin, home] : homes_) n += home->size();
    return n;
}

Task<Leased> UpstreamPool::lease(const Origin& origin, runtime::Abort& abort, Millis connect_timeout, bool fresh) {
    auto at = home(origin);
    if (!fresh)
        if (auto stream = at->take()) {
            stream->owner(abort);
            Leased leased{Io::ok, ConnectStep::none, {}, nullptr, true};
            const auto epoch = at->epoch();
            leased.connection =
                std::make_unique<UpstreamConnection>(std::move(stream), std::move(at), epoch, limits_.head);
            co_return leased;
        }
    co_return co_await connect(origin, std::move(at), abort, connect_timeout);
}

Task<Leased> UpstreamPool::connect(const Origin& origin, Home home, runtime::Abort& abort, Millis timeout) {
    const auto deadline = after(loop_.clock().now(), timeout);
    auto resolved = co_await resolver_.resolve(loop_, abort, origin.host, origin.port, timeout);
    if (make_room(resolved.lack))
        resolved =
            co_await resolver_.resolve(loop_, abort, origin.host, origin.port, until(deadline, loop_.clock().now()));
    if (resolved.status != Io::ok)
        co_return Leased{resolved.status, resolved.lack == runtime::Lack::none ? ConnectStep::dns : ConnectStep::local,
                         resolved.status == Io::timed_out ? "no answer from the resolver in time" : resolved.failure,
                         nullptr, false};
    Leased last;
    auto left = std::int64_t(resolved.addresses.size());
    for (const auto& address : resolved.addresses) {
        // A fair part of what is left to each, so that one address that swallows packets does not use it all.
        const auto now = loop_.clock().now();
        last = co_await connect_to(address, origin, home, abort, now + (deadline - now) / left--);
        const bool elsewhere = last.status == Io::failed || last.status == Io::timed_out;
        if (!elsewhere || last.failed_at != ConnectStep::connect || loop_.clock().now() >= deadline) break;
    }
    co_return last;
}

Task<Leased> UpstreamPool::connect_to(const Poco::Net::SocketAddress& address, const Origin& origin, const Home& home,
                                      runtime::Abort& abort, SteadyTime deadline) {
    Leased leased;
    leased.failed_at = ConnectStep::connect;
    const auto ours = [](std::string why) {
        return Leased{Io::failed, ConnectStep::local, std::move(why), nullptr, false};
    };
    const auto epoch = home->epoch(); // of the trust that the handshake uses
    const auto until_deadline = [&] { return until(deadline, loop_.clock().now()); };
    const auto begin = [&] {
        auto begun = runtime::start_connect(address);
        return begun || !make_room(begun.error().lack) ? std::move(begun) : runtime::start_connect(address);
    };
    auto begun = begin();
    if (!begun) {
        leased.failure = std::move(begun.error().why);
        if (begun.error().lack != runtime::Lack::none) leased.failed_at = ConnectStep::local;
        co_return leased;
    }
    auto socket = std::move(*begun);
    if (origin.tls) {
        const auto tls = context(origin);
        if (!tls) co_return Leased{Io::failed, ConnectStep::tls, tls.error(), nullptr, false};
        auto secured = runtime::secure_client(std::move(socket), *tls, origin.host);
        if (!secured) co_return Leased{Io::failed, ConnectStep::tls, std::move(secured.error()), nullptr, false};
        socket = std::move(*secured);
    }
    std::unique_ptr<runtime::Stream> stream;
    try {
        stream = std::make_unique<runtime::Stream>(loop_, abort, std::move(socket), runtime::Stream::Start::connecting);
    } catch (const std::system_error& error) { // it cannot be watched
        co_return ours(error.what());
    }
    leased.status = co_await stream->connected(until_deadline());
    if (leased.status == Io::ok && origin.tls) {
        leased.failed_at = ConnectStep::tls;
        leased.status = co_await stream->handshake(until_deadline());
    }
    if (leased.status != Io::ok) {
        if (leased.status == Io::closed) leased.status = Io::failed;
        leased.failure = stream->failure();
        if (leased.failure.empty() && leased.status == Io::timed_out) leased.failure = "no answer in time";
        if (leased.failure.empty() && leased.status == Io::failed) leased.failure = "the peer closed the connection";
        co_return leased;
    }
    leased.failed_at = ConnectStep::none;
    leased.connection = std::make_unique<UpstreamConnection>(std::move(stream), home, epoch, limits_.head);
    co_return leased;
}

Result<Poco::Net::Context::Ptr, std::string> UpstreamPool::context(const Origin& origin) {
    const runtime::ClientTls settings{origin.ca_file.string(), origin.verify, origin.certificate_file.string(),
                                      origin.key_file.string()};
    if (const auto known = contexts_.find(settings); known != contexts_.end()) return known->second;
    auto made = runtime::client_context(settings);
    if (made) contexts_[settings] = *made;
    return made;
}

} // namespace wm::http
