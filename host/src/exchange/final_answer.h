#pragma once
// What the client is told when no target answered.
#include "exchange/context.h"
#include "exchange/refusal.h"

namespace wm::exchange {

// The last attempt's failure, as the client may see it: what the client or its quota caused keeps the provider's
// status and words; what concerns only the gateway and the provider becomes a constant text.
runtime::Task<> answer_failure(Context& x, const AttemptFailure& failure);

// No target was attempted, or could be.
Refusal no_target(const config::Settings& settings, std::int64_t wall_ms, const NoTarget& none);

// The member at fault may be empty.
Refusal untranslatable(const std::string& member);

// A provider's message, fit for a client: printable, without addresses, configured keys or what looks like one, at most
// `longest` bytes.
inline constexpr std::size_t longest_told = 512;
std::string scrubbed(std::string_view message, const config::Settings& settings, std::size_t longest = longest_told);
plugin::ErrorReport scrubbed(plugin::ErrorReport report, const config::Settings& settings,
                             std::size_t longest = longest_told);

// Does it hold a configured key?
bool tells_key(std::string_view text, const config::Settings& settings);

} // namespace wm::exchange
