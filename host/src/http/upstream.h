#pragma once
// Kept-alive connections to upstreams, and one request at a time over each.
#include "base/clock.h"
#include "http/body.h"
#include "http/head.h"
#include "http/url.h"
#include "runtime/loop.h"
#include "runtime/resolver.h"
#include "runtime/stream.h"
#include "runtime/task.h"

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace wm::http {

using runtime::Io;
using runtime::Task;

struct PoolLimits {
    std::size_t max_idle_per_origin = 256;
    Millis idle_timeout{60'000};
    Limits head;
};

enum class HeadRead : unsigned char { ok, closed, timed_out, failed, bad, cancelled };
enum class BodyPiece : unsigned char { more, end, truncated, bad, timed_out, failed, cancelled };

class UpstreamPool;

// One request, one answer, then give_back() or destruction, which closes. Belongs to the pool's loop. Usable after the
// pool is gone (it then only closes).
class UpstreamConnection {
  public:
    UpstreamConnection(std::unique_ptr<runtime::Stream> stream, Origin origin, const Limits& limits,
                       std::weak_ptr<UpstreamPool*> pool);
    ~UpstreamConnection();
    UpstreamConnection(const UpstreamConnection&) = delete;

    // The whole request, or its first part; `to_head` is asked of read_head. `bytes` outlives the await.
    Task<Io> send(std::string_view bytes, Millis timeout);

    // The answer's head; 1xx answers are skipped, 101 is `bad` (no upgrade was asked). After timed_out it may be
    // called again and goes on where it was. closed: the peer ended before any byte of an answer; failed covers an
    // end within the head.
    Task<HeadRead> read_head(ResponseHead& head, Millis timeout, bool to_head = false);

    // Appends what has come, at once; waits only if nothing has. more: bytes were appended. end: the body is over,
    // and the last bytes may have been appended with it. After timed_out it may be called again.
    Task<BodyPiece> read_some(std::string& out, Millis timeout);

    std::string_view failure() const { return failure_; } // after bad, failed or truncated: why, for a log
    bool answered() const { return received_; }           // a byte of an answer was received
    bool reusable() const;                                // the body ended and both sides keep the connection
    void watch_peer(bool on);                             // fire the Abort when the upstream leaves
    runtime::Stream& stream() { return *stream_; }

    // Ends the lease: back to the pool if reusable, else closed.
    static void give_back(std::unique_ptr<UpstreamConnection> connection);

  private:
    friend class UpstreamPool;
    std::unique_ptr<runtime::Stream> stream_;
    Origin origin_;
    const Limits limits_;
    std::weak_ptr<UpstreamPool*> pool_;
    HeadScanner scanner_;
    BodyDecoder body_;
    std::string_view failure_;
    int interim_ = 0; // 1xx answers so far
    bool received_ = false, head_done_ = false, keep_alive_ = false;
};

struct Leased {
    Io status = Io::failed;
    std::string_view stage; // what failed: "dns", "connect", "tls"; "" if nothing did
    std::string failure;    // for a log
    std::unique_ptr<UpstreamConnection> connection; // exactly if status is ok
    bool reused = false;    // it served before: it may be found closed, which says nothing about the upstream
};

// Owned by one loop and used on its thread only. Loop, resolver and clock outlive it.
class UpstreamPool {
  public:
    UpstreamPool(runtime::Loop& loop, runtime::Resolver& resolver, const Clock& clock, PoolLimits limits = {});
    ~UpstreamPool();
    UpstreamPool(const UpstreamPool&) = delete;

    // The freshest idle connection, else a new one: every address in turn within the one timeout. `origin` and
    // `abort` outlive the await, `abort` the lease too. `fresh` takes no idle one (for the retry after a stale one).
    Task<Leased> lease(const Origin& origin, runtime::Abort& abort, Millis connect_timeout, bool fresh = false);

    void close_idle(); // all of them: shutdown, or changed settings
    std::size_t idle() const;

  private:
    friend class UpstreamConnection;
    struct Idle {
        std::unique_ptr<runtime::Stream> stream;
        SteadyTime since;
    };
    std::unique_ptr<runtime::Stream> take_idle(const Origin& origin, runtime::Abort& abort);
    void put_back(const Origin& origin, std::unique_ptr<runtime::Stream> stream);
    void prune(std::deque<Idle>& idle);
    Task<Leased> connect(const Origin& origin, runtime::Abort& abort, Millis timeout);

    runtime::Loop& loop_;
    runtime::Resolver& resolver_;
    const Clock& clock_;
    const PoolLimits limits_;
    std::unordered_map<Origin, std::deque<Idle>, OriginHash> idle_;
    runtime::Abort* parked_;
    std::shared_ptr<UpstreamPool*> self_; // tells connections that outlive the pool
};

} // namespace wm::http
