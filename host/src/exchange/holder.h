#pragma once
// Who holds what a request continues: the credential, or all that share its state, without which it cannot be served.
#include "exchange/asked.h"
#include "routing/pins.h"

namespace wm::exchange {

// By name, so that it means the same after a reload.
Digest holder_of(const config::Settings& settings, const config::Target& target);

// Sets asked.holder if it is known and has a target of the model; else the configured order holds, and the provider
// says whether it knows what is continued. After plan().
void find_holder(const routing::Pins& pins, const config::Settings& settings, Asked& asked);

// May it be asked, as far as that goes?
bool can_continue(const config::Settings& settings, const Asked& asked, const config::Target& target);

inline routing::PinLimits pin_limits(const config::Server& server) {
    return {.most = server.max_pins, .age = server.pin_age};
}
// Whether nobody else may: then the holder's absence is what a refusal is about.
bool only_holder_continues(const config::Settings& settings, const Asked& asked);

} // namespace wm::exchange
