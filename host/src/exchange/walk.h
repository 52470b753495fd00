#pragma once
// Which target is tried next: layers in order, inside a layer the policy's order, each target once, skipping what a
// circuit blocks, waiting where gates are full, or else for another request's probe. Whenever a circuit changes, or may
// be probed, it starts over.
#include "config/settings.h"
#include "gate/gate.h"
#include "policy/policies.h"
#include "routing/circuits.h"
#include "runtime/task.h"

#include <cstdint>
#include <map>
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
    const Ordered& order_of(std::uint32_t layer);
    bool tried(std::uint32_t target_id) const;
    void note(const routing::Blocked& blocked);
    std::optional<Chosen> take(std::uint32_t layer, const config::Target& target, gate::Gate::Permit permit);
    policy::Rank rank_at(const config::Target& target, const gate::Gate& gate) const;

    struct Waited { // a target behind a full gate
        std::uint32_t layer;
        const config::Target* target;
    };
    struct Line { // where one call of next() waits
        std::string route;
        std::map<std::uint32_t, std::optional<policy::Rank>> ranks; // by target
        std::uint32_t layers = 0; // it has waited in these: it gives up no place in them
        gate::Gate::Entry entry;  // refers to the above
    };
    std::optional<Chosen> look(Line& line, std::vector<Waited>& full);
    std::optional<Chosen> look_at(std::uint32_t layer, std::vector<Waited>& full);
    std::vector<gate::Gate::Choice> choices_of(Line& line, std::vector<Waited>& full) const;
    Millis until_next_probe(Millis most) const;
    runtime::Task<std::optional<Chosen>> wait_at_gates(Line& line, const std::vector<Waited>& full, std::uint64_t seen);
    runtime::Task<> wait_for_probe(std::uint64_t seen);
    void end(NoTarget::Why why) { seen_.why = why, ended_ = true; }

    Context& x_;
    std::vector<Ordered> orders_;
    std::vector<std::uint32_t> tried_;
    std::optional<SteadyTime> probe_deadline_;
    NoTarget seen_; // what this walk over the layers has met
    bool probing_ = false;
    bool ended_ = false; // by seen_.why
};

} // namespace wm::exchange
