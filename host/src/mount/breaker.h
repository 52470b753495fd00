#pragma once
// The circuit of a mount's upstream. Not one of routing/circuits: those open at a target's first failure, for as long
// as a policy says, and outlive the process; this one counts failures within a window, keeps a time of its own, and
// says for how long a failure's permit is to be held.
#include "base/clock.h"
#include "config/protection.h"
#include "mount/outcome.h"

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

namespace wm::mount {

// [any thread] Outlives its passes; its clock outlives it.
class Breaker {
  public:
    Breaker(const config::Breaker& settings, const Clock& clock) : clock_(clock), settings_(settings) {}
    Breaker(const Breaker&) = delete;

    void configure(const config::Breaker& settings); // what is open stays open, unless it is turned off

    // Leave to ask the upstream once. Of several results the first counts, and one that belongs to an earlier state of
    // the circuit changes nothing. Dropped, it says nothing; a probe is then free for another request.
    class Pass {
      public:
        Pass(Pass&& other) noexcept
            : breaker_(std::exchange(other.breaker_, nullptr)), epoch_(other.epoch_), probe_(other.probe_),
              penalty_(other.penalty_) {}
        Pass& operator=(Pass&& other) noexcept;
        ~Pass() { settle(Verdict::abandoned, std::nullopt); }

        bool probe() const { return probe_; }
        // What came of it; `retry_after`: what the upstream asks for from now on. How long the permit is to be held.
        Millis settle(Verdict verdict, std::optional<Millis> retry_after);
        // The same, and goes on: whether there is leave for more. If not, settle() still says for how long the permit
        // is to be held.
        bool renew(Verdict verdict, std::optional<Millis> retry_after);

      private:
        friend class Breaker;
        Pass(Breaker* breaker, std::uint64_t epoch, bool probe) : breaker_(breaker), epoch_(epoch), probe_(probe) {}
        Breaker* breaker_; // null: nothing is left to say
        std::uint64_t epoch_;
        bool probe_;
        Millis penalty_{0}; // of a failure after which there was no leave
    };

    std::optional<Millis> refusal() const; // it is open: how long to stay away. Takes no probe
    std::variant<Pass, Millis> admit();    // the same, or leave; if a probe is due, this is it

    enum class Mode : unsigned char { closed, half_open, open };
    struct State {
        Mode mode = Mode::closed;
        std::size_t failures = 0; // within the window, while it is closed
        unsigned failures_in_a_row = 0;
        Millis until_probe{0};
    };
    std::optional<State> state() const; // none: it is turned off

  private:
    std::optional<Millis> refusal_now() const;
    Millis open_time() const;
    Millis penalty(std::optional<Millis> retry_after) const;
    void enter(Mode mode, Millis until_probe);
    void count_failure(bool probe);
    void forget();

    const Clock& clock_;
    mutable std::mutex mutex_; // all below
    config::Breaker settings_;
    Mode mode_ = Mode::closed;
    std::uint64_t epoch_ = 0;
    std::deque<SteadyTime> failures_;
    unsigned in_a_row_ = 0;
    unsigned failed_probes_ = 0; // since it opened
    SteadyTime probe_at_{};      // when a probe, or another one, may go; unless it is closed
};

constexpr std::string_view to_string(Breaker::Mode mode) {
    constexpr std::string_view names[] = {"closed", "half-open", "open"};
    return names[static_cast<unsigned char>(mode)];
}

} // namespace wm::mount
