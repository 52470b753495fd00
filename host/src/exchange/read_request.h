#pragma once
// The body, bounded, and what it says (understand.h), a large one off the loop.
#include "exchange/context.h"
#include "exchange/refusal.h"

namespace wm::exchange {

struct ReadEnd {
    std::optional<Refusal> refusal = std::nullopt;
    bool client_gone = false;
};

runtime::Task<ReadEnd> read_request(Context& x);
Refusal crowded(); // too many bodies are held already

} // namespace wm::exchange
