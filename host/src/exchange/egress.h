#pragma once
// In which protocol a target is asked.
#include "exchange/context.h"

namespace wm::exchange {

// The client's where the model speaks it; else the first it speaks that the client's can be translated into.
const plugin::Transcoder& egress_protocol(const Endpoints& endpoints, const plugin::Transcoder& client,
                                          const config::UpstreamModel& model);

// The limit of output tokens to ask for, where the client set none and the protocol needs one.
std::optional<std::uint64_t> needed_limit(const plugin::Transcoder& egress, const config::UpstreamModel& model,
                                          const plugin::RequestFacts& facts);

// Whether this attempt is, or was, on a target of another protocol than the client's.
bool is_translated(const Context& x);

// What the attempt's translation lost, as X-Relay-Loss says it; empty: nothing.
std::string losses_of(const Context& x);

} // namespace wm::exchange
