#pragma once
// The answer to a request for a path under a mount: forwarded, not interpreted.
#include "exchange/context.h"
#include "exchange/refusal.h"

namespace wm::exchange {

// Forwards it and books the attempt. A refusal: nothing was sent to the client.
runtime::Task<std::optional<Refusal>> answer_from_mount(Context& x);

} // namespace wm::exchange
