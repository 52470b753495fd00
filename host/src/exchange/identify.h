#pragma once
// Whether whoever asks may ask.
#include "exchange/asked.h"
#include "exchange/refusal.h"

namespace wm::exchange {

std::optional<Refusal> identify(const config::Settings& settings, Asked& asked);  // 401, then 426
std::optional<Refusal> admit_principal(const Principal& principal, Asked& asked); // 426: who it is was known already

} // namespace wm::exchange
