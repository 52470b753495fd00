#include "exchange/order.h"

namespace wm::exchange {

policy::Ordering order_targets(const config::Settings& settings, const config::Layer& layer, const Asked& asked,
                               policy::Policies& policies, Random& random) {
    std::vector<policy::Candidate> candidates;
    candidates.reserve(layer.targets.size());
    for (const auto& target : layer.targets) {
        const auto& backend = settings.backends[target.backend];
        candidates.push_back({backend.name, backend.credentials[target.credential].name,
                              backend.models[target.model].name, random.unit()});
    }
    return policies.order(layer.strategy,
                          {.served_model = asked.model->name,
                           .protocol = asked.protocol->about().id,
                           .principal = asked.principal.name,
                           .layer = layer.name,
                           .stream = asked.facts.stream,
                           .text_bytes = asked.facts.text_bytes},
                          candidates);
}

} // namespace wm::exchange
