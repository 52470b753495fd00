#pragma once
#include "base/random.h"
#include "exchange/generation.h"
#include "exchange/principal.h"
#include "exchange/refusal.h"
#include "explain/question.h"
#include "routing/pins.h"
#include "translate/losses.h"

#include <optional>
#include <string>
#include <vector>

namespace wm::explain {

struct TargetView {
    const config::Target* target = nullptr;
    std::string protocol;                // in which it would be asked
    bool native = false;                 // which is the request's own; else the request would be translated
    std::vector<translate::Loss> losses; // of that
    std::optional<std::string> cannot;   // it cannot be: the member at fault, or empty
    bool earlier = false;                // stands in an earlier layer too, and is tried there
    routing::CircuitSnapshot circuit;
    std::optional<routing::Blocked> blocked;
    std::vector<gate::Gate::State> limiters; // whose permit it needs
    bool room = true;                        // they have one
    bool queue_full = false;
};

struct LayerView {
    const config::Layer* layer = nullptr;
    std::string reason;              // of the order
    bool from_policy = false;        // false: the policy failed, and the configured order holds
    std::vector<TargetView> targets; // in the order in which they would be tried
};

enum class Decision : unsigned char { refuse, local, attempt, wait_at_gate, wait_for_probe, forward };

// Views into the generation, which must outlive it.
struct Explanation {
    std::int64_t at_ms = 0;
    std::uint64_t generation = 0;
    Decision decision = Decision::refuse;
    std::optional<exchange::Refusal> refusal;          // if that is the decision
    const exchange::Endpoint* endpoint = nullptr;      // null under a mount
    const mount::Mount* mount = nullptr;               // to which it is forwarded
    std::string_view route;                            // under a mount: the limit that it matches; empty: none
    std::vector<gate::Gate::State> limiters;           // under a mount: whose permit it needs
    std::optional<mount::Breaker::State> breaker;      // of the mount; none: it has none
    const config::TranscodeRoute* transcode = nullptr; // under a mount: as what it would be asked for; null: as it is
    std::vector<translate::Loss> losses;               // of that
    std::string protocol;
    exchange::Principal principal;
    bool identified = false;
    std::string requested_model; // only if it is served: an unknown name may be anything
    const config::ServedModel* model = nullptr;
    bool stream = false;
    bool pinned = false; // the layers show only targets that hold what the request continues
    std::vector<LayerView> layers;
    std::size_t layer = 0, target = 0; // of attempt and wait_at_gate, but under a mount
};

// What the next exchange would do with this request. `random` is drawn from as an exchange would: give it a copy.
// `policies` is of the same generation and of this thread. Reads pins, circuits and gates, and changes nothing.
Explanation explain(const exchange::Generation& generation, const routing::Pins& pins, policy::Policies& policies,
                    Random random, const Clock& clock, bool draining, const Question& question);

} // namespace wm::explain
