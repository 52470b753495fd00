#pragma once
// How answers of the gateway's own are written: in the caller's protocol, whatever has been sent before.
#include "exchange/context.h"
#include "exchange/refusal.h"

#include <span>
#include <vector>

namespace wm::exchange {

// Was it served, or refused in the end, by another than the first layer's choice?
bool fell_back(const Context& x);

// X-Relay-* fields, if the client asked for them. Strings live in `text`.
void append_metadata(const Context& x, std::vector<Pair>& text);

std::vector<PairView> views(std::span<const Pair> pairs);

// Prepares the head of an event stream: the upstream's fields that a client may see, and what keeps proxies from
// buffering.
void begin_stream(Context& x, int status, std::span<const PairView> upstream_fields);

// A refusal by the gateway: its code's header and status.
runtime::Task<> refuse(Context& x, const Refusal& refusal);

// An error as the exchange's final answer. `fields` are added; an early 200 makes it an event of the stream.
runtime::Task<> answer_error(Context& x, int status, const plugin::ErrorReport& report, std::vector<Pair> fields);

// A document of the gateway's own.
runtime::Task<> answer_json(Context& x, int status, const std::string& json);

} // namespace wm::exchange
