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
#include "runtime/timer.h"
#include "runtime/tls.h"

#include <Poco/Net/Context.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace wm::http {

using runtime::Io;
using runtime::Task;

struct PoolLimits {
    std::size_t max_idle_per_origin = 256;
    Millis idle_timeout{60'000};
    Limits head;
};

enum class HeadRead : unsigned char { ok, closed, timed_out, failed, bad, cancelled };

// Idle connections to one origin. Connections share it with their pool, so that either may go first.
class IdleConnections;

// One request, one answer, then give_back() or destruction, which closes. Belongs to the pool's loop; usable after the
// pool is gone (it then only closes).
class UpstreamConnection {
  public:
    // `epoch`: of `home`, as the connection began.
    UpstreamConnection(std::unique_ptr<runtime::Stream> stream, std::shared_ptr<IdleConnections> home, unsigned epoch,
                       const Limits& limits);
    ~UpstreamConnection();
    UpstreamConnection(const UpstreamConnection&) = delete;

    // The whole request, or its next part. `bytes` outlives the await. If it fails, the upstream may still have
    // answered: read_head() tells. The timeout restarts on progress, but never reaches beyond `by`. The second is
    // cancelled by `abort` alone, and may run beside the reading, in another coroutine.
    Task<Io> send(std::string_view bytes, Millis timeout, SteadyTime by = SteadyTime::max());
    Task<Io> send(std::string_view bytes, Millis timeout, SteadyTime by, runtime::Abort& abort);
    static constexpr std::size_t at_once = 64 * 1024; // so many bytes go out without waiting, nearly always

    // The answer's head; 1xx answers are skipped, 101 is `bad` (no upgrade was asked). After timed_out it may be
    // called again and goes on where it was. closed: the peer ended before any byte of an answer; failed covers an
    // end within the head.
    Task<HeadRead> read_head(ResponseHead& head, Millis timeout, bool to_head = false);

    // The same, but gives the head of each interim answer (1xx) too; the next call goes on behind it. After a 101 the
    // body is whatever the upstream sends until it ends its side, and send() may go on meanwhile.
    Task<HeadRead> next_head(ResponseHead& head, Millis timeout, bool to_head = false);

    // Appends what has come, at once; waits only if nothing has. more: bytes were appended. end: the body is over,
    // and the last bytes may have been appended with it. After timed_out it may be called again.
    Task<BodyPiece> read_some(std::string& out, Millis timeout);
    BodyPiece read_ready(std::string& out);                 // without waiting: more may also mean that nothing has come
    std::string_view trailers() const { return trailers_; } // of the body, once it is over; see trailer_fields()
    void shutdown_send() { stream_->shutdown_send(); }      // after a 101: nothing more comes from here

    bool peer_left() const { return stream_->hung_up(); } // nothing comes any more but what has come already

    std::string_view failure() const { return failure_; } // after bad, failed or truncated: why, for a log
    bool answered() const { return received_; }           // a byte of an answer was received
    bool reusable() const;                                // the body ended and both sides keep the connection

    // Ends the lease: back to the pool if reusable, else closed. `most_idle`: in place of the pool's own limit.
    static void give_back(std::unique_ptr<UpstreamConnection> connection, std::optional<std::size_t> most_idle = {});

  private:
    std::unique_ptr<runtime::Stream> stream_;
    std::shared_ptr<IdleConnections> home_;
    const unsigned epoch_;
    const Limits limits_;
    HeadScanner scanner_;
    BodyDecoder body_;
    std::string trailers_;
    std::string_view failure_;
    int interim_ = 0; // 1xx answers so far
    bool received_ = false, head_done_ = false, keep_alive_ = false;
    bool sent_whole_ = true; // no send was cut off
};

// local: this side lacked what it takes, see runtime/lack.h.
enum class ConnectStep : unsigned char { none, dns, connect, tls, local };

struct Leased {
    Io status = Io::failed;
    ConnectStep failed_at = ConnectStep::none;
    std::string failure;                            // for a log
    std::unique_ptr<UpstreamConnection> connection; // exactly if status is ok
    bool reused = false; // it served before: it may be found closed, which says nothing about the upstream
};

// Belongs to one loop's thread. Loop and resolver outlive it; its time is the loop's clock.
class UpstreamPool {
  public:
    UpstreamPool(runtime::Loop& loop, runtime::Resolver& resolver, const PoolLimits& limits);
    ~UpstreamPool();
    UpstreamPool(const UpstreamPool&) = delete;

    // The freshest idle connection, else a new one: every address in turn within the one timeout. `origin` and
    // `abort` outlive the await, `abort` the lease too. `fresh` takes no idle one (for the retry after a stale one).
    Task<Leased> lease(const Origin& origin, runtime::Abort& abort, Millis connect_timeout, bool fresh = false);

    void close_idle(); // all of them, and forgets TLS contexts: shutdown, or changed settings
    std::size_t idle() const;

  private:
    using Home = std::shared_ptr<IdleConnections>;
    Home home(const Origin& origin);
    void prune();
    Task<Leased> connect(const Origin& origin, Home home, runtime::Abort& abort, Millis timeout);
    Task<Leased> connect_to(const Poco::Net::SocketAddress& address, const Origin& origin, const Home& home,
                            runtime::Abort& abort, SteadyTime deadline);
    Result<Poco::Net::Context::Ptr, std::string> context(const Origin& origin);
    bool make_room(runtime::Lack lack);

    runtime::Loop& loop_;
    runtime::Resolver& resolver_;
    const PoolLimits limits_;
    std::unordered_map<Origin, Home, OriginHash> homes_;
    std::map<runtime::ClientTls, Poco::Net::Context::Ptr> contexts_; // each has its TLS sessions for itself
    runtime::Timer pruning_;
};

} // namespace wm::http
