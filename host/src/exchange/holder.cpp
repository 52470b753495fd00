#include "exchange/holder.h"

#include <algorithm>

namespace wm::exchange {

Digest holder_of(const config::Settings& settings, const config::Target& target) {
    const auto& backend = settings.backends[target.backend];
    const auto& credential = backend.credentials[target.credential];
    if (!credential.state_scope.empty()) return digest_of({"scope", credential.state_scope});
    return digest_of({"credential", backend.name, credential.name});
}

void find_holder(const routing::Pins& pins, const config::Settings& settings, Asked& asked) {
    const auto& facts = asked.facts;
    auto holder = pins.holder_of(asked.principal.name, facts.pins);
    const bool carried = !holder;
    if (carried) holder = pins.holder_of(asked.principal.name, facts.carried);
    if (!holder) return;
    for (const auto& layer : asked.model->layers)
        for (const auto& target : layer.targets)
            if (holder_of(settings, target) == *holder) {
                asked.holder = holder;
                asked.or_natively = carried;
                return;
            }
}

bool can_continue(const config::Settings& settings, const Asked& asked, const config::Target& target) {
    if (!asked.holder || holder_of(settings, target) == *asked.holder) return true;
    const auto& spoken = settings.backends[target.backend].models[target.model].protocols;
    return asked.or_natively && std::find(spoken.begin(), spoken.end(), asked.protocol->about().id) != spoken.end();
}

bool only_holder_continues(const config::Settings& settings, const Asked& asked) {
    if (!asked.holder) return false;
    for (const auto& layer : asked.model->layers)
        for (const auto& target : layer.targets)
            if (can_continue(settings, asked, target) && holder_of(settings, target) != *asked.holder) return false;
    return true;
}

} // namespace wm::exchange
