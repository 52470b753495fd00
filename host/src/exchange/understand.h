#pragma once
// A body as it came to what its protocol says of it: decoded, then its facts. Reads all of it.
#include "exchange/asked.h"
#include "exchange/refusal.h"

namespace wm::exchange {

std::optional<Refusal> understand(const config::Settings& settings, Asked& asked, std::int64_t now_ms); // 413, 415, 400
Refusal body_too_large(std::uint64_t most);

} // namespace wm::exchange
