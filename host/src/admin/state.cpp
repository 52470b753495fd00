#include "admin/state.h"

#include "base/json_writer.h"
#include "explain/state_json.h"

namespace wm::admin {

namespace {

using exchange::Generation;

std::string_view status_of(const exchange::Site& site) { return site.draining ? "draining" : "ok"; }

void write_process(JsonWriter& w, const exchange::Site& site) {
    w.key("status").text(status_of(site));
    w.key("uptime_seconds")
        .number(std::chrono::duration_cast<std::chrono::seconds>(site.clock.now() - site.started).count());
    w.key("exchanges").number(site.exchanges).key("connections").number(site.connections);
    w.key("pins").number(std::int64_t(site.pins.size()));
}

// An address may hold a key in its query.
std::string_view without_query(std::string_view address) { return address.substr(0, address.find('?')); }

void write_backends(JsonWriter& w, const GatewayView&, const Generation& generation) {
    w.open('[');
    for (const auto& backend : generation.settings->backends) {
        w.open('{')
            .key("backend")
            .text(backend.name)
            .key("adapter")
            .text(backend.adapter)
            .key("address")
            .text(without_query(backend.address));
        w.key("failure_policy").text(backend.failure_policy).key("tls_verify").boolean(backend.tls_verify);
        w.key("client_certificate").boolean(backend.tls_identity.has_value()).key("credentials").open('[');
        for (const auto& credential : backend.credentials) w.text(credential.name);
        w.close(']').key("upstream_models").open('[');
        for (const auto& model : backend.models) w.text(model.name);
        w.close(']').close('}');
    }
    w.close(']');
}

void write_circuits(JsonWriter& w, const GatewayView&, const Generation& generation) {
    w.open('[');
    for (const auto* target : generation.settings->targets()) {
        const auto& backend = generation.settings->backends[target->backend];
        w.open('{')
            .key("backend")
            .text(backend.name)
            .key("credential")
            .text(backend.credentials[target->credential].name);
        w.key("upstream_model").text(backend.models[target->model].name).key("circuit");
        explain::write_circuit(w, generation.circuits.snapshot(target->id));
        w.close('}');
    }
    w.close(']');
}

void write_number(JsonWriter& w, std::string_view key, std::optional<std::int64_t> number) {
    w.key(key);
    if (number)
        w.number(*number);
    else
        w.null();
}

// What providers last said, of those that said anything.
void write_rate_limits(JsonWriter& w, const GatewayView&, const Generation& generation) {
    w.open('[');
    const auto& backends = generation.settings->backends;
    for (std::size_t b = 0; b < backends.size(); ++b)
        for (std::size_t c = 0; c < backends[b].credentials.size(); ++c)
            for (const auto& limit : generation.credential_limits.last(b, c)) {
                w.open('{').key("backend").text(backends[b].name);
                w.key("credential").text(backends[b].credentials[c].name).key("resource").text(limit.resource);
                w.key("scope").text(limit.scope.empty() ? std::string_view("credential") : limit.scope);
                write_number(w, "limit", limit.limit);
                write_number(w, "remaining", limit.remaining);
                write_number(w, "reset_ms", limit.reset_ms);
                w.key("at_ms").number(limit.at_ms).close('}');
            }
    w.close(']');
}

// In the order in which they would go; the gate says how many there are.
void write_waiters(JsonWriter& w, const gate::Gate& gate) {
    constexpr std::size_t most = 100;
    w.key("waiters").open('[');
    int position = 0;
    for (const auto& waiter : gate.first(most)) {
        w.open('{').key("position").number(++position).key("principal").text(waiter.principal);
        w.key("priority_class").number(waiter.priority_class).key("route").text(waiter.route);
        w.key("waited_ms").number(waiter.waited.count()).close('}');
    }
    w.close(']');
}

void write_mounts(JsonWriter& w, const GatewayView&, const Generation& generation) {
    w.open('[');
    for (const auto& mount : generation.mounts.all()) {
        const auto& settings = mount.settings;
        w.open('{').key("mount").text(settings.name).key("prefix").text(settings.prefix + "/");
        w.key("upstream").text(without_query(settings.upstream)).key("gate");
        explain::write_gate(w, mount.limits.gate()->state());
        w.key("queue_depth").number(settings.limits.queue_depth).key("limiters");
        explain::write_limiters(w, mount.limits.limiters());
        write_waiters(w, *mount.limits.gate());
        w.key("circuit");
        explain::write_breaker(w, mount.breaker->state());
        w.close('}');
    }
    w.close(']');
}

void write_gates(JsonWriter& w, const GatewayView&, const Generation& generation) {
    w.open('[');
    const auto& backends = generation.settings->backends;
    for (std::size_t i = 0; i < backends.size(); ++i) {
        const auto limiters = generation.gates.limiters(i);
        if (limiters.empty()) continue;
        const auto* gate = generation.gates.of(i);
        w.open('{').key("backend").text(backends[i].name);
        write_number(w, "queue_depth", backends[i].queue_depth);
        w.key("gate");
        explain::write_gate(w, gate->state());
        w.key("limiters");
        explain::write_limiters(w, limiters);
        write_waiters(w, *gate);
        w.close('}');
    }
    w.close(']');
}

void write_policies(JsonWriter& w, const GatewayView& gateway, const Generation& generation) {
    const auto& counters = gateway.site.policy_counters;
    w.open('{').key("generation").number(std::int64_t(generation.number)).key("scripts").open('[');
    for (const auto& script : generation.library->scripts())
        w.open('{').key("name").text(script.name).key("file").text(script.file).close('}');
    w.close(']').key("calls").number(std::int64_t(counters.calls)).key("failures").open('{');
    w.key("error")
        .number(std::int64_t(counters.errors))
        .key("instructions")
        .number(std::int64_t(counters.instructions));
    w.key("memory")
        .number(std::int64_t(counters.memory))
        .key("nonsense")
        .number(std::int64_t(counters.nonsense))
        .close('}')
        .close('}');
}

void write_lines(JsonWriter& w, const std::vector<std::string>& lines) {
    w.open('[');
    for (const auto& line : lines) w.text(line);
    w.close(']');
}

void write_reloads(JsonWriter& w, const GatewayView& gateway, const Generation&) {
    const auto& reloads = gateway.site.reloads;
    w.open('{')
        .key("accepted")
        .number(std::int64_t(reloads.accepted))
        .key("refused")
        .number(std::int64_t(reloads.refused));
    w.key("last");
    if (const auto last = reloads.last()) {
        w.open('{').key("at_ms").number(last->at_ms).key("accepted").boolean(last->accepted);
        w.key("generation").number(std::int64_t(last->generation)).key("problems");
        write_lines(w, last->problems);
        w.key("notes");
        write_lines(w, last->notes);
        w.close('}');
    } else {
        w.null();
    }
    w.close('}');
}

void write_plugins(JsonWriter& w, const GatewayView& gateway, const Generation&) {
    w.open('[');
    for (const auto& plugin : gateway.plugins.plugins()) {
        w.open('{').key("plugin").text(plugin.name).key("version").text(plugin.version);
        w.key("abi").text(std::to_string(plugin.abi_major) + "." + std::to_string(plugin.abi_minor));
        w.key("file").text(plugin.file.string()).key("components").open('[');
        for (const auto& component : plugin.components) w.text(component);
        w.close(']').close('}');
    }
    w.close(']');
}

struct Part {
    std::string_view name;
    void (*write)(JsonWriter&, const GatewayView&, const Generation&);
};
constexpr Part parts[] = {{"backends", write_backends},       {"circuits", write_circuits}, {"gates", write_gates},
                          {"mounts", write_mounts},           {"policies", write_policies}, {"plugins", write_plugins},
                          {"rate_limits", write_rate_limits}, {"reloads", write_reloads}};

} // namespace

std::string health_document(const GatewayView& gateway) {
    const auto generation = gateway.generation();
    const std::int64_t waiting = std::int64_t(generation->mounts.waiting()) + generation->gates.waiting();
    std::string json;
    JsonWriter w(json);
    w.open('{');
    write_process(w, gateway.site);
    w.key("waiting").number(waiting).close('}');
    return json;
}

std::optional<std::string> state_document(const GatewayView& gateway, std::string_view part) {
    const auto generation = gateway.generation();
    std::string json;
    JsonWriter w(json);
    w.open('{');
    write_process(w, gateway.site);
    w.key("generation").number(std::int64_t(generation->number));
    bool found = part.empty();
    for (const auto& one : parts) {
        if (!part.empty() && part != one.name) continue;
        found = true;
        w.key(one.name);
        one.write(w, gateway, *generation);
    }
    w.close('}');
    return found ? std::optional(std::move(json)) : std::nullopt;
}

} // namespace wm::admin
