#include "admin/metrics.h"

#include "metrics/exposition.h"

#include <algorithm>
#include <map>

namespace wm::admin {

namespace {

using exchange::Generation;
using metrics::Exposition;
using metrics::Kind;
using metrics::Totals;

constexpr auto no_provider = metrics::no_provider;

struct Provider {
    Totals totals;
    unsigned queued = 0;
    double oldest_s = 0;                         // of those whom a limiter of their own bounds
    std::optional<mount::Breaker::Mode> breaker; // none: it has none, or it is turned off
};

using LimiterKey = std::pair<std::string, std::string>; // provider, limiter

struct Collected {
    std::map<std::string, Provider, std::less<>> providers;
    std::map<LimiterKey, gate::Gate::State> limiters;
    struct Line {
        unsigned waiting = 0;
        double oldest_s = 0;
    };
    std::map<std::pair<std::string, std::string>, Line> lines; // by provider and route, as in "POST /messages"

    void add_waiting(const std::string& name, const gate::Gate& gate, SteadyTime now) {
        auto& provider = providers[name];
        provider.queued += gate.waiting();
        for (const auto& [route, waiting, since] : gate.lines()) {
            if (route.empty()) continue;
            const double age = std::chrono::duration<double>(now - since).count();
            auto& line = lines[{name, route}];
            line.waiting += waiting;
            line.oldest_s = std::max(line.oldest_s, age);
            provider.oldest_s = std::max(provider.oldest_s, age);
        }
    }

    void add(const std::string& provider, const std::string& limiter, const gate::Gate::State& state) {
        auto& sum = limiters[{provider, limiter}];
        sum.limit += state.limit;
        sum.in_flight += state.in_flight;
        sum.held += state.held + (state.withheld ? 1 : 0);
        sum.waits += state.waits;
    }
};

Collected collect(const GatewayView& gateway, const Generation& generation) {
    Collected out;
    for (auto& [name, totals] : gateway.site.counts.totals()) out.providers[name].totals = totals;
    out.providers.try_emplace(std::string(no_provider));
    const auto now = gateway.site.clock.now();
    const auto& backends = generation.settings->backends;
    for (std::size_t i = 0; i < backends.size(); ++i) {
        out.providers.try_emplace(backends[i].name);
        const auto limiters = generation.gates.limiters(i);
        if (limiters.empty()) continue;
        out.add_waiting(backends[i].name, *generation.gates.of(i), now);
        for (const auto& state : limiters) out.add(backends[i].name, state.name, state);
    }
    for (const auto& mount : generation.mounts.all()) {
        const auto& name = mount.settings.name;
        out.add_waiting(name, *mount.limits.gate(), now);
        if (const auto circuit = mount.breaker->state()) out.providers[name].breaker = circuit->mode;
        for (const auto& state : mount.limits.limiters()) out.add(name, state.name, state);
    }
    return out;
}

template <class Value>
void by_provider(Exposition& to, const Collected& from, std::string_view name, Kind kind, std::string_view help,
                 Value&& value) {
    to.family(name, kind, help);
    for (const auto& [provider, standing] : from.providers) to.sample({{"provider", provider}}, value(standing));
}

void write_now(Exposition& to, const Collected& from) {
    by_provider(to, from, "watermaster_active", Kind::gauge, "Requests at the provider now.",
                [](const Provider& p) { return double(p.totals.active); });
    by_provider(to, from, "watermaster_queued", Kind::gauge, "Requests that wait for a permit.",
                [](const Provider& p) { return double(p.queued); });
    by_provider(to, from, "watermaster_oldest_queued_seconds", Kind::gauge,
                "How long the oldest of those waits whom a limiter of their own bounds; 0: nobody.",
                [](const Provider& p) { return p.oldest_s; });
    by_provider(to, from, "watermaster_retries_in_flight", Kind::gauge, "Requests that are tried again, or wait to be.",
                [](const Provider& p) { return double(p.totals.retrying); });
}

// Routes are patterns of the configuration: what clients send makes no series.
void write_lines(Exposition& to, const Collected& from) {
    const auto family = [&](std::string_view name, std::string_view help, auto&& value) {
        to.family(name, Kind::gauge, help);
        for (const auto& [key, line] : from.lines) {
            const auto space = key.second.find(' ');
            const std::string_view route = key.second;
            to.sample({{"provider", key.first},
                       {"method", route.substr(0, space)},
                       {"path", space == route.npos ? std::string_view() : route.substr(space + 1)}},
                      value(line));
        }
    };
    family("watermaster_route_queued", "Requests of a route that wait; only while there are any.",
           [](const Collected::Line& line) { return double(line.waiting); });
    family("watermaster_route_oldest_queued_seconds", "How long the oldest of them waits.",
           [](const Collected::Line& line) { return line.oldest_s; });
}

std::int64_t refused(const Provider& provider, std::string_view code) {
    const auto known = provider.totals.refused.find(code);
    return known == provider.totals.refused.end() ? 0 : known->second;
}

void write_endings(Exposition& to, const Collected& from) {
    const auto total = [&](std::string_view name, std::string_view help, auto&& value) {
        by_provider(to, from, name, Kind::counter, help, [&](const Provider& p) { return double(value(p)); });
    };
    total("watermaster_clean_proxied_total", "Limited exchanges that completed.",
          [](const Provider& p) { return p.totals.clean_proxied; });
    total("watermaster_clean_passthrough_total", "Exchanges that no limiter of their own bounds, and that completed.",
          [](const Provider& p) { return p.totals.clean_passthrough; });
    total("watermaster_aborted_total", "Exchanges that broke off, on either side.",
          [](const Provider& p) { return p.totals.aborted; });
    total("watermaster_circuit_rejected_total", "Exchanges refused by an open circuit.",
          [](const Provider& p) { return refused(p, "circuit_open"); });
    total("watermaster_queue_rejected_total", "Exchanges refused because too many waited.",
          [](const Provider& p) { return refused(p, "queue_full"); });

    to.family("watermaster_refused_total", Kind::counter, "Exchanges that the gateway itself refused, by cause.");
    for (const auto& [name, provider] : from.providers)
        for (const auto& [cause, count] : provider.totals.refused)
            to.sample({{"provider", name}, {"cause", cause}}, double(count));

    constexpr std::string_view classes[] = {"1xx", "2xx", "3xx", "4xx", "5xx"};
    to.family("watermaster_requests_total", Kind::counter, "Exchanges by class of the status that their client got.");
    for (const auto& [name, provider] : from.providers)
        for (std::size_t i = 0; i < std::size(classes); ++i)
            to.sample({{"provider", name}, {"status", classes[i]}}, double(provider.totals.by_status[i]));

    to.family("watermaster_attempts_total", Kind::counter,
              "Attempts by credential (empty: a mount's own) and outcome: ok, or the class of the failure.");
    for (const auto& [name, provider] : from.providers)
        for (const auto& [key, count] : provider.totals.attempts)
            to.sample({{"provider", name}, {"credential", key.first}, {"outcome", key.second}}, double(count));
}

void write_tokens(Exposition& to, const Collected& from) {
    by_provider(to, from, "watermaster_fallbacks_total", Kind::counter,
                "Exchanges that ended here because what goes before was tried in vain, or passed over.",
                [](const Provider& p) { return double(p.totals.fallbacks); });
    to.family(
        "watermaster_tokens_total", Kind::counter,
        "Tokens of served answers as their providers counted them; an answer whose usage was not said counts none.");
    for (const auto& [name, provider] : from.providers)
        for (std::size_t i = 0; i < metrics::token_kinds.size(); ++i)
            to.sample({{"provider", name}, {"kind", metrics::token_kinds[i]}}, double(provider.totals.tokens[i]));
}

void write_times(Exposition& to, const Collected& from) {
    by_provider(to, from, "watermaster_queue_wait_seconds", Kind::histogram,
                "What limited exchanges waited for permits.", [](const Provider& p) { return p.totals.queue_wait; });
    by_provider(to, from, "watermaster_upstream_first_byte_seconds", Kind::histogram,
                "From an attempt's start to its answer's head.", [](const Provider& p) { return p.totals.first_byte; });
    by_provider(to, from, "watermaster_upstream_seconds", Kind::histogram, "From an attempt's start to its end.",
                [](const Provider& p) { return p.totals.total; });
}

void write_limiters(Exposition& to, const Collected& from) {
    const auto family = [&](std::string_view name, Kind kind, std::string_view help, auto&& value) {
        to.family(name, kind, help);
        for (const auto& [key, state] : from.limiters)
            to.sample({{"provider", key.first}, {"limiter", key.second}}, double(value(state)));
    };
    family("watermaster_permits", Kind::gauge, "Permits that a limiter has; 0: no limit.",
           [](const gate::Gate::State& state) { return state.limit; });
    family("watermaster_permits_in_use", Kind::gauge, "Permits that are given out.",
           [](const gate::Gate::State& state) { return state.in_flight; });
    family("watermaster_permits_held", Kind::gauge, "Permits that nobody uses and nobody gets yet.",
           [](const gate::Gate::State& state) { return state.held; });
    family("watermaster_permit_waits_total", Kind::counter, "Requests that have had to wait for a permit.",
           [](const gate::Gate::State& state) { return state.waits; });
}

void write_circuits(Exposition& to, const Collected& from, const Generation& generation) {
    to.family("watermaster_breaker_state", Kind::gauge, "A mount's circuit: 0 closed, 1 half-open, 2 open.");
    for (const auto& [name, provider] : from.providers)
        if (provider.breaker) to.sample({{"provider", name}}, double(*provider.breaker));
    to.family("watermaster_circuit_state", Kind::gauge,
              "A target's circuit: 0 closed, 1 half-open, 2 open, 3 suspended.");
    for (const auto* target : generation.settings->targets()) {
        constexpr double values[] = {0, 2, 1, 3}; // by mode
        const auto& backend = generation.settings->backends[target->backend];
        to.sample({{"provider", backend.name},
                   {"credential", backend.credentials[target->credential].name},
                   {"upstream_model", backend.models[target->model].name}},
                  values[std::size_t(generation.circuits.snapshot(target->id).mode)]);
    }
}

// Resources are the provider's words, a few for each credential.
void write_rate_limits(Exposition& to, const Generation& generation) {
    const auto family = [&](std::string_view name, std::string_view help, auto RateLimit::*number) {
        to.family(name, Kind::gauge, help);
        const auto& backends = generation.settings->backends;
        for (std::size_t b = 0; b < backends.size(); ++b)
            for (std::size_t c = 0; c < backends[b].credentials.size(); ++c)
                for (const auto& limit : generation.credential_limits.last(b, c))
                    if (limit.*number)
                        to.sample({{"provider", backends[b].name},
                                   {"credential", backends[b].credentials[c].name},
                                   {"resource", limit.resource},
                                   {"scope", limit.scope.empty() ? std::string_view("credential") : limit.scope}},
                                  double(*(limit.*number)));
    };
    family("watermaster_rate_limit", "A credential's quota, as its provider last said it.", &RateLimit::limit);
    family("watermaster_rate_limit_remaining", "What was left of it then.", &RateLimit::remaining);
}

void write_gateway(Exposition& to, const exchange::Site& site, const Generation& generation) {
    const auto one = [&](std::string_view name, Kind kind, std::string_view help, std::int64_t value) {
        to.family(name, kind, help);
        to.sample({{"provider", no_provider}}, double(value));
    };
    const auto uptime = std::chrono::duration_cast<std::chrono::seconds>(site.clock.now() - site.started);
    one("watermaster_uptime_seconds", Kind::gauge, "Since the start.", uptime.count());
    one("watermaster_connections", Kind::gauge, "Open connections of clients.", site.connections);
    one("watermaster_exchanges", Kind::gauge, "Exchanges under way.", site.exchanges);
    one("watermaster_generation", Kind::gauge, "The configuration's generation in use.",
        std::int64_t(generation.number));

    std::uint64_t dropped = 0;
    for (const auto& sink : site.sinks) dropped += sink->dropped();
    one("watermaster_records_dropped_total", Kind::counter,
        "Records of exchanges that were not written: they came too fast, or the disk took no more.",
        std::int64_t(dropped));

    const auto by_word = [&](std::string_view word, std::string_view value, const auto& count) {
        to.sample({{"provider", no_provider}, {word, value}}, double(count));
    };
    to.family("watermaster_reloads_total", Kind::counter, "Reloads by outcome.");
    by_word("outcome", "accepted", site.reloads.accepted);
    by_word("outcome", "refused", site.reloads.refused);

    const auto& policies = site.policy_counters;
    one("watermaster_policy_calls_total", Kind::counter, "Calls of policies.", std::int64_t(policies.calls));
    to.family("watermaster_policy_failures_total", Kind::counter,
              "Calls of policies that failed, by cause; each was answered by its default.");
    by_word("cause", "error", policies.errors);
    by_word("cause", "instructions", policies.instructions);
    by_word("cause", "memory", policies.memory);
    by_word("cause", "nonsense", policies.nonsense);

    const auto& edits = site.reloads.policies;
    to.family("watermaster_policy_edits_total", Kind::counter, "Edited policies by what became of them.");
    by_word("outcome", "accepted", edits.accepted);
    by_word("outcome", "unreadable", edits.unreadable);
    by_word("outcome", "syntax", edits.syntax);
    by_word("outcome", "load", edits.load);
    by_word("outcome", "limits", edits.limits);
    by_word("outcome", "self_test", edits.self_test);
}

} // namespace

std::string metrics_document(const GatewayView& gateway) {
    const auto generation = gateway.generation();
    const auto collected = collect(gateway, *generation);
    Exposition out;
    write_now(out, collected);
    write_lines(out, collected);
    write_endings(out, collected);
    write_tokens(out, collected);
    write_times(out, collected);
    write_limiters(out, collected);
    write_circuits(out, collected, *generation);
    write_rate_limits(out, *generation);
    write_gateway(out, gateway.site, *generation);
    return out.text();
}

std::optional<Answer> MetricsPages::refused(const http::RequestHead& head) const {
    return admin::refused(head, head.path() == "/metrics" ? "GET" : "", "/metrics");
}

Answer MetricsPages::answer(const http::RequestHead&, const std::string&) {
    return {.status = 200, .body = metrics_document(gateway_), .type = "text/plain; version=0.0.4; charset=utf-8"};
}

} // namespace wm::admin
