#include "exchange/order.h"

#include "exchange/holder.h"

namespace wm::exchange {

namespace {

constexpr const char* pinned = "pinned"; // the reason, whatever the policy says of the targets that are left

} // namespace

policy::Ordering order_targets(const config::Settings& settings, const config::Layer& layer, const Asked& asked,
                               policy::Policies& policies, Random& random) {
    std::vector<std::uint32_t> eligible;
    std::vector<policy::Candidate> candidates;
    candidates.reserve(layer.targets.size());
    for (std::uint32_t i = 0; i < layer.targets.size(); ++i) {
        const auto& target = layer.targets[i];
        if (!can_continue(settings, asked, target)) continue;
        const auto& backend = settings.backends[target.backend];
        if (asked.holder) eligible.push_back(i);
        candidates.push_back({backend.name, backend.credentials[target.credential].name,
                              backend.models[target.model].name, random.unit()});
    }
    if (candidates.empty()) return {.order = {}, .reason = pinned, .from_policy = true};
    auto ordering = policies.order(layer.strategy,
                                   {.served_model = asked.model->name,
                                    .protocol = asked.protocol->about().id,
                                    .principal = asked.principal.name,
                                    .layer = layer.name,
                                    .stream = asked.facts.stream,
                                    .text_bytes = asked.facts.text_bytes},
                                   candidates);
    if (!asked.holder) return ordering;
    for (auto& place : ordering.order) place = eligible[place];
    ordering.reason = pinned;
    return ordering;
}

} // namespace wm::exchange
