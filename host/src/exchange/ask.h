#pragma once
// Asks a target: builds its request, connects, sends, and reads the head of its answer.
#include "exchange/context.h"
#include "http/upstream.h"

namespace wm::exchange {

struct Answered {
    std::optional<Outcome> ended; // set: no head came
    std::unique_ptr<http::UpstreamConnection> connection;
    bool asked_usage = false;
    framing::Framing framing = framing::Framing::sse;

    static Answered none(Outcome outcome) { return {std::move(outcome), nullptr}; }
};

runtime::Task<Answered> ask(Context& x, const config::Target& target, const plugin::Transcoder& egress,
                            std::uint32_t retries, http::ResponseHead& head, SteadyTime deadline);

} // namespace wm::exchange
