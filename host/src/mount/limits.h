#pragma once
// The gate of one mount, and which part of it a request needs. [any thread]
#include "base/clock.h"
#include "config/limit_pattern.h"
#include "gate/gate.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace wm::mount {

class Limits {
  public:
    static constexpr std::string_view any_route = "* *"; // what limit_all bounds, beside the patterns

    // Goes on with the gate `before`, if there is one: who is inside, or held, stays counted. `settings` outlives it.
    Limits(const config::MountLimits& settings, std::shared_ptr<gate::Gate> before, const Clock& clock);

    void resize() const; // when it takes effect

    // What a request needs a permit of; none: it is exempt.
    struct Need {
        gate::Part part;
        std::string_view route; // the pattern that matches, or any_route; empty: only the whole mount's limit bounds it
    };
    std::optional<Need> needed(std::string_view method, std::string_view path) const; // behind the prefix, as sent

    // By the key that sizes it, the group, or the pattern that has it alone: those of the settings, and others while
    // someone is inside or waits.
    std::vector<gate::Gate::State> limiters() const;
    std::vector<gate::Gate::State> limiters_of(gate::Part part) const; // those that bound it

    const std::shared_ptr<gate::Gate>& gate() const { return gate_; }
    const config::MountLimits& settings() const { return settings_; }

  private:
    std::vector<gate::Gate::State> shown(std::vector<gate::Gate::State> parts) const;

    const config::MountLimits& settings_;
    std::shared_ptr<gate::Gate> gate_; // the mount's own: its whole is what global_concurrency bounds
    std::vector<gate::Part> parts_;    // as settings_.pools
};

// Whether the path's last segments are the pattern's. Segments end at '/' and ':', are decoded, and compared without
// case.
bool matches(const config::LimitPattern& pattern, std::string_view method, std::string_view path);

} // namespace wm::mount
