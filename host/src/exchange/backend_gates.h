#pragma once
// The gates of one generation's backends: what bounds a backend is the whole of its gate, what bounds a credential is a
// part of it. [any thread]
#include "base/clock.h"
#include "base/weak_map.h"
#include "config/settings.h"
#include "gate/gate.h"

#include <memory>
#include <optional>
#include <vector>

namespace wm::exchange {

class BackendGates {
  public:
    // Goes on with the gates of `before` and all earlier ones, by name: who is inside, or held, stays counted.
    // `settings` outlives it.
    BackendGates(const config::Settings& settings, const BackendGates* before, const Clock& clock);
    BackendGates(const BackendGates&) = delete;

    void resize() const; // when it takes effect

    struct Place { // what a target's requests need a permit of
        std::shared_ptr<gate::Gate> gate;
        gate::Part part;
    };
    const Place* place_of(const config::Target& target) const; // null: nothing bounds it
    bool bounded(const config::Target& target) const;          // by its backend's limit or its credential's
    // Which of the two an upstream that complains of too many means: what bounds the credential, if anything does.
    gate::Part blamed(const config::Target& target) const;

    gate::Gate* of(std::size_t backend) const { return gates_[backend].get(); } // null: nothing bounds it
    // `concurrency` and `credential NAME`: what bounds the backend, and what its credentials; of one that is not
    // configured any more as long as someone is inside or waits.
    std::vector<gate::Gate::State> limiters(std::size_t backend) const;
    std::vector<gate::Gate::State> limiters_of(const config::Target& target) const; // those that bound it
    unsigned waiting() const;                                                       // at all of them

  private:
    using Known = WeakMap<std::string, gate::Gate>; // by backend
    const config::Settings& settings_;
    const std::shared_ptr<Known> known_;             // of all generations
    std::vector<std::shared_ptr<gate::Gate>> gates_; // by backend
    std::vector<std::vector<Place>> places_;         // by backend and credential; empty where there is no gate
};

} // namespace wm::exchange
