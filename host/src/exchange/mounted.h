#pragma once
// The answer to a request for a path under a mount: forwarded, not interpreted.
#include "exchange/context.h"
#include "exchange/refusal.h"
#include "mount/outcome.h"

namespace wm::exchange {

// Forwards it and books the attempt. A refusal: nothing was sent to the client.
runtime::Task<std::optional<Refusal>> answer_from_mount(Context& x);

std::optional<Refusal> refusal_of(const mount::Outcome& outcome); // what a client is told of it

} // namespace wm::exchange
