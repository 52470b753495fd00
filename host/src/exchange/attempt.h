#pragma once
// One try of an exchange on one target, with the retry in place that an ambiguous failure gets.
#include "exchange/context.h"

namespace wm::exchange {

// Runs the attempt, classifies a failure, settles the circuit, records it and gives the permit back, at once or when
// the provider no longer counts the request. The pass is given back when `chosen` goes.
runtime::Task<Outcome> attempt(Context& x, Chosen& chosen, Heartbeat* heartbeat);

plugin::TalkParams talk_params(const Context& x, std::string_view upstream_model, std::uint32_t attempt);

} // namespace wm::exchange
