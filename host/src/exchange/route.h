#pragma once
// Which operation of which protocol is asked for, or else which mount, and whether whoever asks may ask for it.
#include "exchange/asked.h"
#include "exchange/generation.h"
#include "exchange/refusal.h"

namespace wm::exchange {

std::optional<Refusal> route(const Generation& generation, Asked& asked);        // 404, 405
std::optional<Refusal> identify(const config::Settings& settings, Asked& asked); // 401, then 426
std::optional<Refusal> identified(const Principal& principal, Asked& asked);     // 426: who it is was known already

} // namespace wm::exchange
