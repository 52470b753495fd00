#include "app/gateway.h"

#include "admin/answers.h"
#include "admin/metrics.h"
#include "exchange/cancel.h"
#include "exchange/holder.h"
#include "exchange/session.h"
#include "records/access_log.h"
#include "routing/circuit_file.h"
#include "runtime/acceptor.h"

#include <Poco/Logger.h>

#include <latch>
#include <sys/resource.h>

namespace wm::app {

namespace {

using runtime::Io;

runtime::Detached serve(exchange::Worker& worker, Poco::Net::StreamSocket socket, Poco::Net::Context::Ptr tls) {
    ++worker.site.connections;
    try {
        runtime::Abort abort(worker.loop);
        runtime::Stream stream(worker.loop, abort,
                               tls ? runtime::secure_server(std::move(socket), tls) : std::move(socket),
                               runtime::Stream::Start::accepted);
        auto ready = Io::ok;
        if (tls) ready = co_await stream.handshake(worker.generation->shared->limits->head_timeout);
        if (ready == Io::ok) co_await exchange::serve_connection(worker, stream, abort);
    } catch (const std::exception& error) {
        Poco::Logger::get("gateway").error(std::string("a connection was dropped: ") + error.what());
    }
    --worker.site.connections;
}

// A client's request wants a descriptor for its upstream, too: a quarter of them, beside our own few, is never given to
// clients, or who is served would be refused for the sake of who only connects.
std::int64_t most_connections(const config::Server& server) {
    constexpr std::int64_t own = 32;
    static const rlim_t most_files = [] { // asked once, not for each connection
        rlimit files{};
        return ::getrlimit(RLIMIT_NOFILE, &files) == 0 ? files.rlim_cur : RLIM_INFINITY;
    }();
    if (most_files == RLIM_INFINITY) return server.max_connections;
    return std::clamp<std::int64_t>(std::int64_t(most_files - most_files / 4) - own, 1, server.max_connections);
}

// `tls` is read anew for each connection: a reload may bring other certificates.
runtime::Detached accept_all(exchange::Worker& worker, Poco::Net::ServerSocket socket,
                             const Poco::Net::Context::Ptr& tls) {
    constexpr Millis pause(100); // when out of descriptors or at the limit: the backlog keeps the others meanwhile
    runtime::Abort abort(worker.loop);
    runtime::Acceptor acceptor(worker.loop, abort, socket);
    while (!abort.fired()) {
        if (worker.site.connections >= most_connections(worker.generation->shared->settings->server)) {
            co_await runtime::sleep(worker.loop, abort, pause);
            continue;
        }
        auto accepted = co_await acceptor.accept();
        if (accepted.status == Io::ok && accepted.socket)
            serve(worker, std::move(*accepted.socket), tls);
        else if (accepted.status == Io::failed)
            co_await runtime::sleep(worker.loop, abort, pause);
    }
}

// On a reload also under the name that it has: whoever rotates logs has moved the file away.
records::AccessLog::File opened_access_log(const config::Settings& settings) {
    auto file = records::AccessLog::open(settings.server.access_log);
    if (!file) throw std::runtime_error(file.error());
    return std::move(*file);
}

std::unique_ptr<routing::CircuitStore> circuit_store_of(const config::Server& server, const Clock& clock) {
    if (server.data_dir.empty()) return std::make_unique<routing::MemoryCircuitStore>();
    return std::make_unique<routing::CircuitFile>(server.data_dir, clock);
}

} // namespace

struct Gateway::Lane {
    Lane(exchange::Site& site, std::shared_ptr<exchange::LoopGeneration> first, Poco::Net::Context::Ptr certificates)
        : clock(site.clock), loop(clock), worker(site, loop, std::move(first)), tls(std::move(certificates)) {}

    GlancedClock clock;
    runtime::Loop loop;
    exchange::Worker worker;
    Poco::Net::Context::Ptr tls; // null: plain
    std::thread thread;
};

Gateway::Gateway(Assembly assembly, const plugin::Registry& plugins, const Clock& clock)
    : plugins_(plugins),
      site_(assembly.settings->server.workers, clock, circuit_store_of(assembly.settings->server, clock)),
      generation_(std::make_shared<exchange::Generation>(assembly.settings, assembly.library, plugins,
                                                         *site_.circuit_store, clock)),
      listener_(listen_on(assembly.settings->server)) {
    const auto tls = server_context(assembly.settings->server);
    if (!tls) throw std::runtime_error(tls.error());
    auto access_log = std::make_unique<records::AccessLog>(opened_access_log(*assembly.settings));
    access_log_ = access_log.get();
    site_.sinks.push_back(std::move(access_log));
    for (std::size_t i = 0; i < listener_.sockets.size(); ++i)
        lanes_.emplace_back(site_, on_one_loop(generation_), *tls);
    const auto& server = assembly.settings->server;
    site_.pins.limit(exchange::pin_limits(server));
    const admin::GatewayView view{site_, plugins_, [this] { return this->generation(); }};
    if (!server.admin_listen.empty()) {
        admin_listener_ = listen_for_admin(server);
        side_listeners_.emplace_back(admin_listener_.sockets.front(),
                                     std::make_unique<admin::Answers>(view, server.admin_key_digest), clock);
    }
    if (!server.metrics_listen.empty()) {
        metrics_listener_ = listen_for_metrics(server);
        side_listeners_.emplace_back(metrics_listener_.sockets.front(), std::make_unique<admin::MetricsPages>(view),
                                     clock);
    }
}

Gateway::~Gateway() { stop(); }

void Gateway::start() {
    auto socket = listener_.sockets.begin();
    for (auto& lane : lanes_) {
        lane.loop.post([&lane, socket = *socket++] { accept_all(lane.worker, socket, lane.tls); });
        lane.thread = std::thread([&lane] { lane.loop.run(); });
    }
    for (auto& listener : side_listeners_) listener.start();
}

std::shared_ptr<exchange::LoopGeneration>
Gateway::on_one_loop(const std::shared_ptr<const exchange::Generation>& shared) {
    return std::make_shared<exchange::LoopGeneration>(shared, site_.policy_counters, site_.clock);
}

std::shared_ptr<const exchange::Generation> Gateway::generation() const {
    const std::lock_guard lock(mutex_);
    return generation_;
}

std::shared_ptr<const exchange::Generation> Gateway::publish(Assembly assembly, Poco::Net::Context::Ptr tls) {
    const auto before = generation();
    const bool reread = assembly.settings != before->settings; // else only policies were edited
    auto access_log = reread ? opened_access_log(*assembly.settings) : records::AccessLog::File();
    const auto next =
        std::make_shared<const exchange::Generation>(std::move(assembly.settings), std::move(assembly.library),
                                                     plugins_, *site_.circuit_store, site_.clock, before.get());
    // The Lua states are made here: a loop only swaps a pointer.
    std::vector<std::shared_ptr<exchange::LoopGeneration>> made;
    for (std::size_t i = 0; i < lanes_.size(); ++i) made.push_back(on_one_loop(next));
    next->resize_gates();
    site_.pins.limit(exchange::pin_limits(next->settings->server));
    if (reread) access_log_->go_on_in(std::move(access_log));
    const auto taken = std::make_shared<std::latch>(std::ptrdiff_t(lanes_.size()));
    auto mine = made.begin();
    for (auto& lane : lanes_)
        lane.loop.post([&lane, taken, tls, reread, next = std::move(*mine++)]() mutable {
            lane.worker.generation.swap(next);
            if (tls) lane.tls = tls;
            if (reread) lane.worker.upstreams.close_idle(); // certificates may be others under the same names
            taken->count_down();
        });
    taken->wait();
    const std::lock_guard lock(mutex_);
    return generation_ = next;
}

void Gateway::drain() {
    constexpr Millis closing_time(1'000); // for a last word to clients that are cut off
    site_.draining = true;
    if (!idle_within(generation()->settings->server.drain_timeout)) {
        for (auto& lane : lanes_) lane.loop.post([&lane] { exchange::Cancel::all(lane.worker.running); });
        idle_within(closing_time);
    }
    stop();
}

bool Gateway::idle_within(Millis time) const {
    const auto deadline = site_.clock.now() + time;
    while (site_.exchanges > 0 && site_.clock.now() < deadline) std::this_thread::sleep_for(Millis(10));
    return site_.exchanges == 0;
}

void Gateway::stop() {
    for (auto& lane : lanes_) lane.loop.stop();
    for (auto& lane : lanes_)
        if (lane.thread.joinable()) lane.thread.join();
    side_listeners_.clear();
}

} // namespace wm::app
