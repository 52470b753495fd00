#pragma once
// What exchanges work with. A Site is shared by all loops and outlives them; a Worker belongs to one loop.
#include "base/clock.h"
#include "base/random.h"
#include "config/settings.h"
#include "exchange/endpoints.h"
#include "gate/gate.h"
#include "http/server_connection.h"
#include "http/upstream.h"
#include "plugin/registry.h"
#include "policy/policies.h"
#include "records/record.h"
#include "routing/circuits.h"
#include "runtime/worker_pool.h"

#include <atomic>
#include <memory>
#include <vector>

namespace wm::exchange {

struct Site {
    Site(std::shared_ptr<const config::Settings> settings, const plugin::Registry& plugins,
         std::shared_ptr<const policy::Library> library, const Clock& clock);
    ~Site();
    Site(const Site&) = delete;

    const std::shared_ptr<const config::Settings> settings;
    const plugin::Registry& plugins;
    const std::shared_ptr<const policy::Library> library;
    const Clock& clock;
    const SteadyTime started;
    const Endpoints endpoints;
    const http::ServerLimits limits;
    const http::PoolLimits pool_limits;

    routing::MemoryCircuitStore circuit_store;
    routing::Circuits circuits;
    std::vector<std::unique_ptr<gate::Gate>> gates; // by backend; null: unbounded
    std::vector<std::unique_ptr<records::Sink>> sinks;
    policy::Counters policy_counters;
    runtime::WorkerPool pool;
    runtime::Resolver resolver;

    std::atomic<bool> draining{false};
    std::atomic<std::int64_t> exchanges{0}, connections{0};

    void settled(const records::ExchangeRecord& record) const {
        for (const auto& sink : sinks) sink->settled(record);
    }
    void arrived(const records::ArrivalRecord& record) const {
        for (const auto& sink : sinks) sink->arrived(record);
    }
};

struct Worker {
    Worker(Site& the_site, runtime::Loop& the_loop)
        : site(the_site), loop(the_loop), upstreams(the_loop, the_site.resolver, the_site.pool_limits),
          policies(the_site.library, the_site.policy_counters, the_site.clock), random(random_seed()) {}

    Site& site;
    runtime::Loop& loop;
    http::UpstreamPool upstreams;
    policy::Policies policies;
    Random random;
};

} // namespace wm::exchange
