#pragma once
// From the model asked for to the layers that serve it.
#include "exchange/context.h"
#include "exchange/refusal.h"

namespace wm::exchange {

std::optional<Refusal> plan(Context& x);

} // namespace wm::exchange
