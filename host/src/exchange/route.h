#pragma once
// Which operation of which protocol is asked for, or else which mount.
#include "exchange/asked.h"
#include "exchange/generation.h"
#include "exchange/refusal.h"

namespace wm::exchange {

std::optional<Refusal> route(const Generation& generation, Asked& asked); // 404, 405

} // namespace wm::exchange
