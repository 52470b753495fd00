#pragma once
// Which target is tried next: layers in order, inside a layer the policy's order, each target once, skipping what a
// circuit blocks, waiting where a gate is full and, at the end, for another request's probe.
#include "config/settings.h"
#include "gate/gate.h"
#include "policy/policies.h"
#include "routing/circuits.h"
#include "runtime/task.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace wm::exchange {

struct Context;

// A target, with leave to try it. Dropping it gives everything back.
struct Chosen {
    const config::Layer* layer;
    std::uint32_t layer_index;
    const config::Target* target;
    std::string reason; // of the order it stood in
    gate::Gate::Permit permit;
    std::optional<routing::Pass> pass;
};

struct NoTarget {
    enum class Why : unsigned char { exhausted, queue_timeout, queue_full, client_gone } why = Why::exhausted;
    std::optional<std::int64_t> next_probe_at_ms; // the earliest, if a circuit blocked one
    bool probe_awaited = false;                   // the wait for another's probe was used up
    bool pinned = false;                          // others were not looked at: they lack what the request continues
};

class Walk {
  public:
    explicit Walk(Context& x);

    runtime::Task<std::variant<Chosen, NoTarget>> next();

  private:
    struct Ordered {
        std::vector<std::uint32_t> order; // into the layer's targets
        std::string reason;
        bool asked = false, pinned = false;
    };
    struct Step { // what one look at a layer gave
        std::optional<Chosen> chosen;
        std::optional<NoTarget::Why> ended;
    };
    const Ordered& order_of(std::uint32_t layer);
    bool tried(std::uint32_t target_id) const;
    void note(const routing::Blocked& blocked);
    std::optional<Chosen> take(std::uint32_t layer, const config::Target& target, gate::Gate::Permit permit);
    policy::Rank rank_at(const config::Target& target, const gate::Gate& gate);
    runtime::Task<Step> look_at(std::uint32_t layer);
    struct Crowd { // the full gates of a layer, and who waits there for what
        std::vector<const config::Target*> targets;
        std::vector<gate::Gate::Choice> choices;
        std::vector<policy::Rank> ranks; // the choices' tickets refer to them
        Millis patience{0};              // the longest of all
    };
    Crowd crowd_in(std::uint32_t layer);
    runtime::Task<Step> wait_in(std::uint32_t layer);

    Context& x_;
    std::vector<Ordered> orders_;
    std::vector<std::uint32_t> tried_;
    std::optional<SteadyTime> probe_deadline_;
    NoTarget seen_; // what this walk over the layers has met
    bool probing_ = false;
};

} // namespace wm::exchange
