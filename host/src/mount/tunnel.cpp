#include "mount/tunnel.h"

#include "runtime/beside.h"

#include <exception>

namespace wm::mount {

namespace {

using http::BodyPiece;

struct Tunnel {
    const Call& call;
    http::UpstreamConnection& upstream;
    runtime::Abort& attempt;
    SteadyTime last; // when either side was heard

    // After a read that timed out: whether the other direction was heard within the time.
    bool lively() const { return call.loop.clock().now() - last < call.mount.settings.silence; }
};

runtime::Task<> towards_upstream(Tunnel& t) {
    std::string bytes;
    for (;;) {
        const auto piece = co_await t.call.client.read_some(bytes, t.call.mount.settings.silence, t.attempt);
        if (piece == BodyPiece::timed_out && t.lively()) continue;
        if (piece == BodyPiece::end) co_return t.upstream.shutdown_send(); // the other direction goes on
        if (piece != BodyPiece::more) break;
        t.last = t.call.loop.clock().now();
        const auto sent = co_await t.upstream.send(bytes, t.call.mount.settings.silence);
        if (sent != runtime::Io::ok) break;
        std::string().swap(bytes);
    }
    t.attempt.fire();
}

runtime::Task<> towards_client(Tunnel& t) {
    std::string bytes;
    for (;;) {
        const auto piece = co_await t.upstream.read_some(bytes, t.call.mount.settings.silence);
        if (piece == BodyPiece::timed_out && t.lively()) continue;
        if (piece == BodyPiece::end) co_return t.call.client.end_sending();
        if (piece != BodyPiece::more) break;
        t.last = t.call.loop.clock().now();
        const auto sent = co_await t.call.client.send(bytes);
        if (sent != runtime::Io::ok) break;
        std::string().swap(bytes);
    }
    t.attempt.fire();
}

} // namespace

runtime::Task<> tunnel(const Call& call, http::UpstreamConnection& upstream, runtime::Abort& attempt) {
    Tunnel both{call, upstream, attempt, call.loop.clock().now()};
    runtime::Beside up(call.loop);
    up.start(towards_upstream(both));
    std::exception_ptr error; // the other direction refers to this frame: whatever happens, it is waited for
    try {
        co_await towards_client(both);
    } catch (...) {
        error = std::current_exception();
        attempt.fire();
    }
    co_await up.join();
    if (error) std::rethrow_exception(error);
    co_await call.client.finish();
}

} // namespace wm::mount
