#pragma once
// What exchanges work with for as long as the process runs; what a reload changes is in generation.h. A Site is shared
// by all loops and outlives them; a Worker belongs to one loop.
#include "base/clock.h"
#include "base/random.h"
#include "exchange/generation.h"
#include "exchange/reloads.h"
#include "http/held_bytes.h"
#include "http/upstream.h"
#include "metrics/counts.h"
#include "records/record.h"
#include "routing/pins.h"
#include "runtime/worker_pool.h"

#include <atomic>
#include <memory>
#include <vector>

namespace wm::exchange {

struct Site {
    Site(unsigned workers, const Clock& the_clock,
         std::unique_ptr<routing::CircuitStore> circuits = std::make_unique<routing::MemoryCircuitStore>())
        : clock(the_clock), started(the_clock.now()), circuit_store(std::move(circuits)), pins(the_clock),
          pool(workers), resolver(the_clock) {}
    Site(const Site&) = delete;

    const Clock& clock;
    const SteadyTime started;
    const http::PoolLimits pool_limits;

    const std::unique_ptr<routing::CircuitStore> circuit_store;
    routing::Pins pins;
    std::vector<std::unique_ptr<records::Sink>> sinks;
    policy::Counters policy_counters;
    metrics::AllCounts counts;
    Reloads reloads;
    http::HeldBytes bodies; // of all requests together
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
    Worker(Site& the_site, runtime::Loop& the_loop, std::shared_ptr<LoopGeneration> first)
        : site(the_site), loop(the_loop), generation(std::move(first)), counts(the_site.counts.of_one_more_loop()),
          upstreams(the_loop, the_site.resolver, the_site.pool_limits), random(random_seed()) {}

    Site& site;
    runtime::Loop& loop;
    std::shared_ptr<LoopGeneration> generation; // what new exchanges begin with; replaced on the loop's thread
    metrics::Counts& counts;                    // of this loop
    http::UpstreamPool upstreams;
    Random random;
    runtime::Link running; // the exchanges of this loop, by their Cancel
};

} // namespace wm::exchange
