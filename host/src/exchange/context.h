#pragma once
// What is known of one exchange so far. Each step adds its part; settle reads it once.
#include "exchange/identify.h"
#include "exchange/outcome.h"
#include "exchange/site.h"
#include "exchange/walk.h"

#include <optional>
#include <string>

namespace wm::exchange {

class Heartbeat;

constexpr std::size_t large_body = 256u << 10; // bytes: above it, work on a body or a document leaves the loop

struct Context {
    Worker& worker;
    http::ServerConnection& connection;
    runtime::Abort& abort; // fires when the client leaves or the process stops
    const http::RequestHead& head;
    const std::shared_ptr<LoopGeneration> pinned; // what it began with and ends with, whatever is reloaded meanwhile

    std::string id;
    SteadyTime started;
    bool wants_metadata = false;

    const Endpoint* endpoint = nullptr;              // route
    const plugin::Transcoder* protocol = nullptr;    // route: of the endpoint, or whose error shape an unknown path gets
    Principal principal;                             // identify
    std::string body;                                // read: decoded; freed at commitment
    http::HeldBytes::Share held{worker.site.bodies, pinned->shared->settings->server.max_body_memory}; // by that body
    plugin::RequestFacts facts;                      // read
    const config::ServedModel* model = nullptr;      // plan

    bool committed = false; // the first semantic byte was sent: no other target from here on
    std::string error_code; // of the gateway's own refusal
    int status = 0;         // as sent to the client
    std::optional<FailureClass> failure;
    bool exhausted = false; // no target was left
    std::string selection_reason;
    std::optional<SteadyTime> first_byte;
    Millis waited{0};       // at gates and for probes
    plugin::Usage usage;
    std::vector<records::AttemptRecord> attempts;

    Site& site() const { return worker.site; }
    const Generation& generation() const { return *pinned->shared; }
    const config::Settings& settings() const { return *generation().settings; }
    const routing::Circuits& circuits() const { return generation().circuits; }
    gate::Gate* gate_of(const config::Target& target) const { return generation().gates[target.backend].get(); }
    policy::Policies& policies() const { return pinned->policies; }
    SteadyTime now() const { return worker.site.clock.now(); }
    std::int64_t wall_ms() const { return worker.site.clock.wall_ms(); }
    bool streaming() const { return facts.stream; }
    plugin::RequestView request() const { // for the transcoder of an endpoint's operation
        return {.method = head.method(),
                .path = head.path(),
                .query = head.query(),
                .headers = {},
                .operation = endpoint->operation->id,
                .body = body,
                .now_ms = wall_ms()};
    }
};

} // namespace wm::exchange
