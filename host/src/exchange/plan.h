#pragma once
// From the model asked for to the layers that serve it.
#include "exchange/asked.h"
#include "exchange/refusal.h"

namespace wm::exchange {

std::optional<Refusal> plan(const config::Settings& settings, Asked& asked);

// Refuses a member by which some provider lets a request choose its own route, whichever target is taken. Reads the
// whole body; after plan().
std::optional<Refusal> guard(const Asked& asked);

} // namespace wm::exchange
