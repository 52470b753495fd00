#include "app/gateway.h"

#include "exchange/session.h"
#include "records/access_log.h"
#include "runtime/acceptor.h"

#include <Poco/Logger.h>

namespace wm::app {

namespace {

using runtime::Io;

runtime::Detached serve(exchange::Worker& worker, Poco::Net::StreamSocket socket, Poco::Net::Context::Ptr tls) {
    ++worker.site.connections;
    try {
        runtime::Abort abort(worker.loop);
        runtime::Stream stream(worker.loop, abort, tls ? runtime::secure_server(std::move(socket), tls) : std::move(socket),
                               runtime::Stream::Start::accepted);
        auto ready = Io::ok;
        if (tls) ready = co_await stream.handshake(worker.site.limits.head_timeout);
        if (ready == Io::ok) co_await exchange::serve_connection(worker, stream, abort);
    } catch (const std::exception& error) {
        Poco::Logger::get("gateway").error(std::string("a connection was dropped: ") + error.what());
    }
    --worker.site.connections;
}

runtime::Detached accept_all(exchange::Worker& worker, Poco::Net::ServerSocket socket, Poco::Net::Context::Ptr tls) {
    constexpr Millis pause(100); // when out of descriptors or at the limit: the backlog keeps the others meanwhile
    const auto limit = std::int64_t(worker.site.settings->server.max_connections);
    runtime::Abort abort(worker.loop);
    runtime::Acceptor acceptor(worker.loop, abort, socket);
    while (!abort.fired()) {
        if (worker.site.connections >= limit) {
            co_await runtime::sleep(worker.loop, abort, pause);
            continue;
        }
        auto accepted = co_await acceptor.accept();
        if (accepted.status == Io::ok && accepted.socket) serve(worker, std::move(*accepted.socket), tls);
        else if (accepted.status == Io::failed) co_await runtime::sleep(worker.loop, abort, pause);
    }
}

std::optional<runtime::ServerTls> server_tls(const config::Server& server) {
    if (!server.tls) return std::nullopt;
    return runtime::ServerTls{server.tls->certificate.string(), server.tls->key.string()};
}

unsigned loop_count(const config::Server& server) {
    return server.loops ? server.loops : std::max(1u, std::thread::hardware_concurrency());
}

} // namespace

struct Gateway::Lane {
    Lane(exchange::Site& site, const Clock& clock) : loop(clock), worker(site, loop) {}

    runtime::Loop loop;
    exchange::Worker worker;
    std::thread thread;
};

Gateway::Gateway(Assembly assembly, const plugin::Registry& plugins, const Clock& clock)
    : site_(assembly.settings, plugins, assembly.library, clock),
      listener_(listen_on(assembly.settings->server.listen, server_tls(assembly.settings->server), loop_count(assembly.settings->server))) {
    if (const auto& file = assembly.settings->server.access_log; !file.empty())
        site_.sinks.push_back(std::make_unique<records::AccessLog>(file));
    for (std::size_t i = 0; i < listener_.sockets.size(); ++i) lanes_.emplace_back(site_, clock);
}

Gateway::~Gateway() { stop(); }

void Gateway::start() {
    auto socket = listener_.sockets.begin();
    for (auto& lane : lanes_) {
        lane.loop.post([&lane, socket = *socket++, tls = listener_.tls] { accept_all(lane.worker, socket, tls); });
        lane.thread = std::thread([&lane] { lane.loop.run(); });
    }
}

void Gateway::drain() {
    site_.draining = true;
    const auto deadline = site_.clock.now() + site_.settings->server.drain_timeout;
    while (site_.exchanges > 0 && site_.clock.now() < deadline) std::this_thread::sleep_for(Millis(10));
    stop();
}

void Gateway::stop() {
    for (auto& lane : lanes_) lane.loop.stop();
    for (auto& lane : lanes_)
        if (lane.thread.joinable()) lane.thread.join();
}

} // namespace wm::app
