#pragma once
// What requests are served with until the next reload: settings, policies, endpoints, and the circuits and gates of
// their targets. A reload makes a new generation and hands it to every loop; an exchange keeps the one it began with.
//
// How to read it. On a loop: `worker.generation` (what a new exchange would get), without a lock; copy the pointer to
// keep it across an await. In an exchange: `x.generation()`, `x.settings()`. On other threads: Gateway::generation().
// Never keep a reference into a generation without its pointer.
#include "config/settings.h"
#include "exchange/backend_gates.h"
#include "exchange/endpoints.h"
#include "exchange/upstream_origin.h"
#include "http/server_connection.h"
#include "mount/mounts.h"
#include "plugin/registry.h"
#include "policy/policies.h"
#include "routing/circuits.h"
#include "routing/credential_limits.h"

#include <memory>
#include <vector>

namespace wm::exchange {

// Immutable; any thread. What circuits and gates hold changes, under locks of their own.
struct Generation {
    // Goes on with the circuits and gates of `before`, if there is one, by target and backend. The store, the clock and
    // the plugins outlive it. Gates get their new limits only from resize_gates().
    Generation(std::shared_ptr<const config::Settings> settings, std::shared_ptr<const policy::Library> library,
               const plugin::Registry& plugins, routing::CircuitStore& store, const Clock& clock,
               const Generation* before = nullptr);
    ~Generation();
    Generation(const Generation&) = delete;

    void resize_gates() const; // when it takes effect: a generation that was refused must not have touched any

    const std::uint64_t number; // from 1, in the order of taking effect
    const std::shared_ptr<const config::Settings> settings;
    const std::shared_ptr<const policy::Library> library;
    const Endpoints endpoints;
    const std::shared_ptr<const http::ServerLimits> limits; // of connections that begin under it
    const std::vector<UpstreamOrigin> origins;              // by backend
    const mount::Mounts mounts;
    const routing::Circuits circuits;                  // by target id
    const routing::CredentialLimits credential_limits; // by backend and credential
    const BackendGates gates;
};

// A generation on one loop, with Lua states of its own. Made anywhere, then used by that loop alone.
struct LoopGeneration {
    LoopGeneration(std::shared_ptr<const Generation> the_shared, policy::Counters& counters, const Clock& clock)
        : shared(std::move(the_shared)), policies(shared->library, counters, clock) {}

    const std::shared_ptr<const Generation> shared;
    policy::Policies policies;
};

} // namespace wm::exchange
