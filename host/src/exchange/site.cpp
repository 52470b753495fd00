#include "exchange/site.h"

namespace wm::exchange {

namespace {

// By target id. A changed endpoint is another target: its name holds the backend's, and circuits are kept by name.
std::vector<std::string> target_names(const config::Settings& settings) {
    std::vector<std::string> names(settings.target_count);
    for (const auto& model : settings.models)
        for (const auto& layer : model.layers)
            for (const auto& target : layer.targets) names[target.id] = target.name;
    return names;
}

http::ServerLimits limits_of(const config::Server& server) {
    http::ServerLimits limits;
    limits.head.max_head = server.max_head;
    limits.head.max_fields = server.max_fields;
    limits.idle_timeout = server.idle_timeout;
    limits.head_timeout = server.head_timeout;
    limits.body_read_timeout = server.body_timeout;
    limits.body_timeout = server.body_total;
    limits.write_timeout = server.write_timeout;
    return limits;
}

} // namespace

Site::Site(std::shared_ptr<const config::Settings> the_settings, const plugin::Registry& the_plugins,
           std::shared_ptr<const policy::Library> the_library, const Clock& the_clock)
    : settings(std::move(the_settings)), plugins(the_plugins), library(std::move(the_library)), clock(the_clock), started(the_clock.now()),
      endpoints(the_plugins.transcoders(), settings->server.health_endpoints), limits(limits_of(settings->server)),
      circuits(target_names(*settings), circuit_store, the_clock), pool(settings->server.workers), resolver(the_clock) {
    for (const auto& backend : settings->backends)
        gates.push_back(backend.concurrency ? std::make_unique<gate::Gate>(*backend.concurrency) : nullptr);
}

Site::~Site() = default;

} // namespace wm::exchange
