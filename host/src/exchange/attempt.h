#pragma once
// One try of an exchange on one target, with the retry in place that an ambiguous failure gets.
#include "exchange/context.h"

namespace wm::exchange {

// Runs the attempt, classifies a failure, settles the circuit, records it and gives the permit back, at once or when
// the provider no longer counts the request. The pass is given back when `chosen` goes.
runtime::Task<Outcome> attempt(Context& x, Chosen& chosen, Heartbeat* heartbeat);

// A plugin counts attempts from 1 in wm_params as in wm_call; policies count from 0, as `retries` does.
constexpr std::uint32_t attempt_number(std::uint32_t retries) { return retries + 1; }

plugin::TalkParams talk_params(const Context& x, std::string_view upstream_model, std::uint32_t retries);

} // namespace wm::exchange
