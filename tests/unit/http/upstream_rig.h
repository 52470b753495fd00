#pragma once
#include "http/upstream.h"
#include "rig.h"

#include <mutex>

namespace wm::http::testing {

// A pool, and an upstream whose part the test plays.
struct UpstreamRig : Rig {
    explicit UpstreamRig(const PoolLimits& limits = {}) { pool.emplace(loop, resolver, limits); }

    Leased lease(bool fresh = false) { return await(pool->lease(origin, abort, std::chrono::seconds(5), fresh)); }
    std::unique_ptr<UpstreamConnection> connect() {
        auto leased = lease();
        if (!leased.connection) throw std::runtime_error(leased.failure);
        return std::move(leased.connection);
    }
    Peer accept() { return Peer(listener.acceptConnection()); }
    HeadRead read_head(UpstreamConnection& c, bool to_head = false) {
        return await(c.read_head(head, std::chrono::seconds(10), to_head));
    }
    BodyPiece read_all(UpstreamConnection& c) { // the last piece; the bytes are in `body`
        for (;;)
            if (const auto piece = await(c.read_some(body, std::chrono::seconds(10))); piece != BodyPiece::more)
                return piece;
    }

    Poco::Net::ServerSocket listener = listen_somewhere();
    Origin origin{false, "127.0.0.1", listener.address().port(), true, {}};
    runtime::Resolver resolver{
        clock, 1, [this](const std::string& host) {
            runtime::Resolver::Found found;
            if (host == "two.test") // nobody listens at the first
                found.addresses = {Poco::Net::IPAddress("127.0.0.2"), Poco::Net::IPAddress("127.0.0.1")};
            else if (host == "slow.test")
                std::lock_guard wait(slow);
            else
                found.failure = "no such name";
            return found;
        }};
    std::mutex slow;
    std::optional<UpstreamPool> pool;
    ResponseHead head;
    std::string body;
};

} // namespace wm::http::testing
