#pragma once
// A limit on how many do something at once, shared by all loops. Those who have to wait are parked coroutines; queue.h
// says who goes next.
#include "gate/queue.h"
#include "runtime/waiter.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace wm::gate {

// [any thread] Outlives its permits and awaits; its clock outlives it.
class Gate {
  public:
    Gate(unsigned limit, const Clock& clock) : clock_(clock), limit_(limit) {} // 0: none

    // One place behind the gate, given back when it is destroyed or released, once, on any thread.
    class Permit {
      public:
        Permit() = default;
        Permit(Permit&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)) {}
        Permit& operator=(Permit&& other) noexcept {
            if (this != &other) release(), gate_ = std::exchange(other.gate_, nullptr);
            return *this;
        }
        ~Permit() { release(); }
        explicit operator bool() const { return gate_ != nullptr; }
        void release() {
            if (gate_) std::exchange(gate_, nullptr)->give_back();
        }

      private:
        friend class Gate;
        explicit Permit(Gate& gate) : gate_(&gate) {}
        Gate* gate_ = nullptr;
    };

    struct Granted {
        runtime::Io status; // ok, timed_out or cancelled
        Permit permit;      // when ok
    };

    class Acquire;
    Acquire acquire(runtime::Loop& loop, runtime::Abort& abort, Millis timeout,
                    const Ticket& ticket = {}); // -> Granted
    std::optional<Permit> try_acquire();        // none while others wait
    void resize(unsigned limit);                // a smaller limit takes effect as permits come back

    struct State {
        unsigned limit = 0, in_flight = 0, waiting = 0;
        std::uint64_t waits = 0; // how many have had to wait so far

        bool free() const {
            return waiting == 0 && (limit == 0 || in_flight < limit);
        } // would the next be let in at once?
    };
    State state() const; // of one moment
    unsigned waiting() const;
    unsigned in_flight() const;

  private:
    bool free() const { return limit_ == 0 || in_flight_ < limit_; }
    void give_back();
    void serve(); // mutex held
    static Queue::Standing& standing_of(runtime::Link& place);

    const Clock& clock_;
    mutable std::mutex mutex_; // all below
    unsigned limit_;
    unsigned in_flight_ = 0;
    Queue queue_{standing_of};
    std::uint64_t waits_ = 0;
};

class [[nodiscard]] Gate::Acquire final : public runtime::QueuedWaiter {
  public:
    Acquire(Gate& gate, runtime::Loop& loop, runtime::Abort& abort, Millis timeout, const Ticket& ticket)
        : QueuedWaiter(loop, abort, timeout, gate.mutex_), gate_(gate), standing_{ticket, nullptr, std::nullopt} {}
    Granted await_resume() { return {status_, std::move(permit_)}; }

  private:
    friend class Gate;
    bool attempt() override;
    bool attach() override;
    void withdrawn() override { gate_.queue_.left(standing_); }
    Gate& gate_;
    Queue::Standing standing_; // the gate's mutex guards it
    // Set with the gate's mutex held, when the permit is granted. Should the coroutine go away without looking at
    // it, the permit goes back by itself.
    Permit permit_;
};

inline Gate::Acquire Gate::acquire(runtime::Loop& loop, runtime::Abort& abort, Millis timeout, const Ticket& ticket) {
    return {*this, loop, abort, timeout, ticket};
}

} // namespace wm::gate
