#include "config/adapter_settings.h"
#include "config/address.h"
#include "config/read_protection.h"
#include "config/reading.h"
#include "config/suggest.h"
#include "config/transcode_keys.h"
#include "plugin/registry.h"

#include <algorithm>
#include <cctype>

namespace wm::config {
namespace {

const plugin::Adapter* choose_adapter(SectionReader& in, const Reading& reading) {
    std::vector<std::string_view> loaded;
    for (const auto* adapter : reading.plugins.adapters()) loaded.emplace_back(adapter->about().id);
    const auto* entry = in.one("adapter");
    if (!entry) {
        in.bad("adapter", {"missing", "one of those loaded: " + joined(loaded)});
        return nullptr;
    }
    const auto* adapter = reading.plugins.adapter(entry->value);
    if (loaded.empty())
        in.bad(*entry, {"no adapter is loaded", reading.plugin_wanted("its plugin")});
    else if (!adapter)
        in.bad(*entry,
               {"no such adapter" + did_you_mean(entry->value, loaded), "one of those loaded: " + joined(loaded)});
    return adapter;
}

constexpr unsigned most_at_once = 1'000'000;

const IniEntry* read_concurrency(SectionReader& in, std::optional<unsigned>& concurrency) {
    unsigned n = 0;
    const auto* entry = in.number("concurrency", n, 1, most_at_once);
    if (entry) concurrency = n;
    return entry;
}

// A section [credential "BACKEND" …] that bounds one.
const IniSection* bounded_credential(const Reading& reading, const std::string& backend) {
    for (const auto* section : reading.of_kind("credential"))
        for (const auto& entry : section->entries)
            if (section->names[0] == backend && entry.key == "concurrency") return section;
    return nullptr;
}

void read_limits(SectionReader& in, Backend& backend, bool bounded_credentials) {
    unsigned n = 0;
    read_concurrency(in, backend.concurrency);
    const auto* queue_timeout = in.duration("queue_timeout", backend.queue_timeout);
    const auto* queue_depth = in.number("queue_depth", n, 0, most_at_once);
    if (queue_depth) backend.queue_depth = n;
    const auto [queue_order, promotion] = read_queue_order(in, backend.queue_order);
    auto given = read_holds(in, backend.holds);
    if (!in.all("concurrency").empty() || bounded_credentials) return;
    given.insert(given.end(), {queue_timeout, queue_depth, queue_order, promotion});
    for (const auto* entry : given)
        if (entry)
            in.bad(*entry, {"no effect without concurrency", "concurrency in this section or of one of its credentials",
                            false});
}

Value<std::string> parse_scope(std::string_view text) {
    const bool fine = !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
    });
    if (!fine) return Failure{Complaint{"not a name", "letters, digits, -, _ and . only, at most 64"}};
    return std::string(text);
}

void read_backend(Reading& reading, const IniSection& section) {
    SectionReader in(section, reading.report);
    Backend backend;
    backend.name = section.names[0];
    check_provider_name(in, {});
    backend.timeouts = reading.settings.server.timeouts;
    const auto* adapter = choose_adapter(in, reading);
    read_timeouts(in, backend.timeouts);
    const auto* bounded = bounded_credential(reading, backend.name);
    read_limits(in, backend, bounded || reading.lost("credential"));
    if (backend.concurrency || bounded)
        reading.policies.add(std::string(queue_script), backend.concurrency ? section : *bounded, "concurrency");
    in.flag("tls_verify", backend.tls_verify);
    read_ca_file(in, reading.folder, backend.tls_ca_file);
    backend.tls_identity = read_tls_identity(in, reading.folder);
    backend.failure_policy =
        adapter && !adapter->about().failure_policy.empty() ? adapter->about().failure_policy : "generic";
    std::replace(backend.failure_policy.begin(), backend.failure_policy.end(), '-', '_');
    in.read("failure_policy", backend.failure_policy, parse_script_name);
    backend.failure_policy.insert(0, "failure/");
    if (backend.failure_policy == schedules_script)
        in.bad("failure_policy",
               {"says how long circuits stay open, and classifies nothing", "a classification, as generic"});
    reading.policies.add(backend.failure_policy, section, "failure_policy");
    in.read("state_scope", backend.state_scope, parse_scope);
    if (adapter) {
        backend.adapter = adapter->about().id;
        backend.bound = bind_adapter(in, *adapter);
        for (const auto* key : {"endpoint", "base_url"})
            if (const auto* entry = in.one(key)) backend.address = entry->value;
        in.finish(); // which keys there are is known only with the adapter
    }
    reading.settings.backends.push_back(std::move(backend));
}

Backend* backend_of(Reading& reading, const IniSection& section) {
    auto& backends = reading.settings.backends;
    const auto i = index_of(backends, section.names[0]);
    if (i < backends.size()) return &backends[i];
    if (reading.lost("backend")) return nullptr;
    const auto names = names_of(backends);
    reading.report.add(section,
                       Complaint{"no backend \"" + section.names[0] + "\"" + did_you_mean(section.names[0], names),
                                 "one of those configured: " + joined(names)});
    return nullptr;
}

void read_credential(Reading& reading, const IniSection& section) {
    SectionReader in(section, reading.report);
    auto* backend = backend_of(reading, section);
    Credential credential;
    credential.name = section.names[1];
    in.read("api_key", credential.api_key,
            [&](std::string_view text) { return parse_secret(text, reading.secrets()); });
    read_concurrency(in, credential.concurrency);
    if (backend) credential.state_scope = backend->state_scope;
    in.read("state_scope", credential.state_scope, parse_scope);
    const auto* facts = backend && backend->bound ? &backend->bound->about() : nullptr;
    const bool optional = facts && std::find(facts->auth.begin(), facts->auth.end(), "none") != facts->auth.end();
    if (in.all("api_key").empty() && !optional) in.bad("api_key", {"missing", "env:NAME, file:PATH or the key"});
    in.finish();
    if (backend) backend->credentials.push_back(std::move(credential));
}

// What the model can speak at most; empty: not known, as its backend has no working adapter.
std::vector<std::string> protocols_of(const plugin::AdapterFacts& facts, const std::string& model) {
    for (const auto& one : facts.models)
        if (one.name == model && !one.protocols.empty()) return one.protocols;
    std::vector<std::string> out;
    for (const auto& protocol : facts.protocols) out.push_back(protocol.id);
    return out;
}

void check_catalogue(SectionReader& in, const plugin::AdapterFacts& facts, const std::string& model) {
    if (facts.models_open || index_of(facts.models, model) < facts.models.size()) return;
    const auto names = names_of(facts.models);
    in.bad({"adapter " + facts.id + " has no model \"" + model + "\"" + did_you_mean(model, names),
            "one of " + joined(names)});
}

void read_upstream_model(Reading& reading, const IniSection& section) {
    SectionReader in(section, reading.report);
    auto* backend = backend_of(reading, section);
    UpstreamModel model;
    model.name = section.names[1];
    const auto* facts = backend && backend->bound ? &backend->bound->about() : nullptr;
    std::vector<std::string> most;
    if (facts) {
        check_catalogue(in, *facts, model.name);
        most = protocols_of(*facts, model.name);
    }
    for (const auto& [protocol, entry] : in.list("protocols")) {
        const std::vector<std::string_view> speakable(most.begin(), most.end());
        if (std::find(model.protocols.begin(), model.protocols.end(), protocol) != model.protocols.end())
            in.bad(*entry, {protocol + " given twice", "each protocol once"});
        else if (facts && std::find(most.begin(), most.end(), protocol) == most.end())
            in.bad(*entry, {"adapter " + facts->id + " does not speak " + protocol + " with this model" +
                                did_you_mean(protocol, speakable),
                            "of " + joined(speakable)});
        else
            model.protocols.push_back(protocol);
    }
    if (in.all("protocols").empty()) model.protocols = std::move(most);
    if (facts)
        for (const auto& known : facts->models)
            if (known.name == model.name) model.max_output = known.max_output;
    if (!in.all("capabilities").empty())
        read_capabilities(in, "capabilities", reading.plugins, CapabilityDefaults::of_served_models,
                          model.capabilities);
    in.read("max_output", model.max_output, [](std::string_view text) { return parse_integer(text, 1, 10'000'000); });
    in.finish();
    if (backend) backend->models.push_back(std::move(model));
}

} // namespace

void read_backends(Reading& reading) {
    const auto backends = reading.of_kind("backend");
    for (const auto* section : backends) read_backend(reading, *section);
    for (const auto* section : reading.of_kind("credential")) read_credential(reading, *section);
    for (const auto* section : reading.of_kind("upstream-model")) read_upstream_model(reading, *section);
    for (std::size_t i = 0; i < backends.size(); ++i) {
        const auto& backend = reading.settings.backends[i];
        const auto lacks = [&](std::string_view what) {
            if (reading.lost(what)) return;
            reading.report.add(*backends[i],
                               Complaint{"backend without " + std::string(what),
                                         "a section [" + std::string(what) + " \"" + backend.name + "\" \"…\"]"});
        };
        if (backend.credentials.empty()) lacks("credential");
        if (backend.models.empty()) lacks("upstream-model");
    }
}

} // namespace wm::config
