#pragma once
// The body, bounded and decoded, and its facts through the transcoder of its protocol.
#include "exchange/context.h"
#include "exchange/refusal.h"

namespace wm::exchange {

struct ReadEnd {
    std::optional<Refusal> refusal;
    bool client_gone = false;
};

runtime::Task<ReadEnd> read_request(Context& x);

} // namespace wm::exchange
