#pragma once
// In which protocol a target is asked.
#include "exchange/asked.h"
#include "translate/translation.h"

#include <optional>
#include <vector>

namespace wm::exchange {

struct Context;

// In which a model may be asked: the client's own where it speaks it, else all that the client's can be translated
// into, in the order it names them.
std::vector<const plugin::Transcoder*> egress_choices(const Endpoints& endpoints, const plugin::Transcoder& client,
                                                      const config::UpstreamModel& model);

// What a translation into another protocol would lose; nothing is sent.
struct DryRun {
    std::optional<std::string> cannot; // the member at fault, if it cannot be translated
    std::vector<translate::Loss> losses;
};
DryRun dry_run(const Asked& asked, const config::UpstreamModel& model, const plugin::Transcoder& egress,
               std::int64_t now_ms);
// Where asked.transcode is set.
DryRun dry_run_on_mount(const config::Settings& settings, const Asked& asked, std::int64_t now_ms);

// The choice that can be translated and loses least; of equals the first. Of several, as long as translating takes.
const plugin::Transcoder& least_loss(const std::vector<const plugin::Transcoder*>& choices, const Asked& asked,
                                     const config::UpstreamModel& model, std::int64_t now_ms);

// The limit of output tokens to ask for, where the client set none and the protocol needs one. `most`: what the model
// can; 0: not known.
std::optional<std::uint64_t> needed_limit(const plugin::Transcoder& egress, std::uint64_t most,
                                          const plugin::RequestFacts& facts);

// What the attempt's translation lost, as X-Relay-Loss says it; empty: nothing.
std::string losses_of(const Context& x);

} // namespace wm::exchange
