#pragma once
// One try of an exchange on one target, with the retry in place that an ambiguous failure gets.
#include "exchange/context.h"

namespace wm::exchange {

// Runs the attempt, classifies a failure, settles the circuit and records it. The permit and the pass are given back
// when `chosen` goes.
runtime::Task<Outcome> attempt(Context& x, Chosen& chosen, Heartbeat* heartbeat);

plugin::TalkParams talk_params(const Context& x, std::string_view upstream_model, std::uint32_t attempt);

} // namespace wm::exchange
