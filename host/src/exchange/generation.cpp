#include "exchange/generation.h"

#include "base/text.h"

namespace wm::exchange {

namespace {

// Behind another address, or with another key, the same names are another provider's account.
std::string account(const config::Backend& backend, const config::Credential& credential) {
    auto identity = backend.adapter + '\n' + backend.address + '\n' + credential.api_key.reveal();
    if (backend.tls_identity) identity += '\n' + backend.tls_identity->certificate.string();
    const auto digest = config::digest_of_key(identity);
    std::string text = "#";
    for (std::size_t i = 0; i < 8; ++i) append_hex(text, digest[i]);
    return text;
}

std::vector<std::string> circuit_keys(const config::Settings& settings) {
    std::vector<std::string> keys(settings.target_count);
    for (const auto* target : settings.targets()) {
        const auto& backend = settings.backends[target->backend];
        keys[target->id] = target->name + ' ' + account(backend, backend.credentials[target->credential]);
    }
    return keys;
}

std::vector<std::vector<std::string>> credential_keys(const config::Settings& settings) {
    std::vector<std::vector<std::string>> keys;
    for (const auto& backend : settings.backends) {
        auto& names = keys.emplace_back();
        for (const auto& credential : backend.credentials)
            names.push_back(backend.name + '/' + credential.name + ' ' + account(backend, credential));
    }
    return keys;
}

std::shared_ptr<const http::ServerLimits> limits_of(const config::Server& server) {
    auto limits = std::make_shared<http::ServerLimits>();
    limits->head.max_head = server.max_head;
    limits->head.max_fields = server.max_fields;
    limits->idle_timeout = server.idle_timeout;
    limits->head_timeout = server.head_timeout;
    limits->body_read_timeout = server.body_timeout;
    limits->body_timeout = server.body_total;
    limits->write_timeout = server.write_timeout;
    return limits;
}

} // namespace

Generation::Generation(std::shared_ptr<const config::Settings> the_settings,
                       std::shared_ptr<const policy::Library> the_library, const plugin::Registry& plugins,
                       routing::CircuitStore& store, const Clock& clock, const Generation* before)
    : number(before ? before->number + 1 : 1), settings(std::move(the_settings)), library(std::move(the_library)),
      endpoints(plugins.transcoders(), !settings->models.empty(), settings->server.health_endpoints),
      limits(limits_of(settings->server)), origins(settings->backends.begin(), settings->backends.end()),
      mounts(settings->mounts, clock, before ? &before->mounts : nullptr),
      circuits(circuit_keys(*settings), store, clock, before ? &before->circuits : nullptr),
      credential_limits(credential_keys(*settings), before ? &before->credential_limits : nullptr),
      gates(*settings, before ? &before->gates : nullptr, clock) {}

Generation::~Generation() = default;

void Generation::resize_gates() const {
    mounts.take_effect();
    gates.resize();
}

} // namespace wm::exchange
