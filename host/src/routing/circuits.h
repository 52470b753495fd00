#pragma once
// The circuits of one generation's targets, shared by all loops. Every method is safe on any thread and holds a short
// lock. Generations share the circuit of a target that they have in common, whatever its id in each.
#include "base/clock.h"
#include "routing/circuit_store.h"
#include "runtime/notice.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wm::routing {

class Circuits;

// Leave to try a target once, bound to the generation it was given in: the first resolution wins, a late one is
// ignored, and dropping an unresolved one gives a probe back (eligible again after one second).
class Pass {
  public:
    Pass(Pass&& other) noexcept
        : circuits_(std::exchange(other.circuits_, nullptr)), target_(other.target_), generation_(other.generation_),
          probe_(other.probe_) {}
    Pass& operator=(Pass&&) = delete;
    ~Pass();

    bool probe() const { return probe_; }

    void succeed(); // a 2xx: closes the circuit
    void release(); // a client's error or a cancel: the circuit stays as it is, a probe may be taken again at once

    // A provider failure, in two steps, so that the policy that knows the schedule runs outside the lock.
    std::uint32_t level(FailureClass what) const;
    void fail(FailureClass what, bool suspend, std::int64_t delay_ms);

  private:
    friend class Circuits;
    Pass(const Circuits& circuits, std::uint32_t target, std::uint64_t generation, bool probe)
        : circuits_(&circuits), target_(target), generation_(generation), probe_(probe) {}

    const Circuits* circuits_; // null once resolved
    std::uint32_t target_;
    std::uint64_t generation_;
    bool probe_;
};

struct Blocked {
    bool probing = false;              // another request holds the probe: its result may change everything
    std::int64_t next_probe_at_ms = 0; // when this target may be tried again
};

class Circuits {
  public:
    static constexpr std::int64_t probe_limit_ms = 600'000;
    static constexpr std::int64_t abandoned_ms = 1'000;
    static constexpr std::int64_t set_back_ms = 60'000; // by so much a clock may be set back without an early probe

    // `keys` by target id: two targets with the same key are the same target. `store` and `clock` must outlive this.
    // What `before`, the generation in use, has under a key goes on here; else what the store kept of it.
    Circuits(const std::vector<std::string>& keys, CircuitStore& store, const Clock& clock,
             const Circuits* before = nullptr);
    Circuits(const Circuits&) = delete;

    // Half-opens an expired circuit; the Pass is then its probe. A Pass must not outlive this.
    std::variant<Pass, Blocked> admit(std::uint32_t target) const;
    std::optional<Blocked> blocked(std::uint32_t target) const; // without taking a probe
    CircuitSnapshot snapshot(std::uint32_t target) const;

    runtime::Notice& changes() const { return shared_->changes; } // raised after each change of a circuit

  private:
    friend class Pass;
    struct Circuit {
        const std::string key;
        CircuitSnapshot now; // Shared::mutex
    };
    struct Shared { // by all generations
        std::mutex mutex;
        runtime::Notice changes;
    };
    static std::optional<Blocked> blocked(const CircuitSnapshot& circuit, std::int64_t now);
    template <class Change>
    bool change(std::uint32_t target, std::uint64_t generation, Change&& change) const;

    CircuitStore& store_;
    const Clock& clock_;
    const std::shared_ptr<Shared> shared_;
    std::vector<std::shared_ptr<Circuit>> circuits_;
};

} // namespace wm::routing
