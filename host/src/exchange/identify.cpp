#include "exchange/identify.h"

namespace wm::exchange {

std::optional<Refusal> identify(const config::Settings& settings, Asked& asked) {
    if (asked.asks_for(EndpointKind::health) || asked.asks_for(EndpointKind::ready)) return std::nullopt;
    const auto principal = find_principal(settings, asked.head, asked.urgent);
    if (!principal) return Refusal{.code = Code::unauthorized, .message = "no valid API key was given"};
    return admit_principal(*principal, asked);
}

std::optional<Refusal> admit_principal(const Principal& principal, Asked& asked) {
    asked.principal = principal;
    if (asked.asks_for(EndpointKind::inference) && !asked.head.upgrade().empty())
        return Refusal{.code = Code::upgrade_required,
                       .message = "this path serves plain HTTP requests only; do not ask for an upgrade"};
    return std::nullopt;
}

} // namespace wm::exchange
