#pragma once
// Whether and when a failed try of one request is followed by another one. It neither waits nor sends.
#include "base/clock.h"
#include "base/random.h"
#include "config/retry_rules.h"
#include "mount/breaker.h"

#include <optional>
#include <string_view>

namespace wm::mount {

class Retries {
  public:
    // Nothing is sent again after `deadline`, the end of the whole exchange. `pass`: of the first try, then of the
    // latest. All outlives it.
    Retries(const config::RetryRules& rules, SteadyTime deadline, Random& random, Breaker::Pass& pass)
        : rules_(rules), deadline_(deadline), random_(random), pass_(pass) {}

    // When the rules let the request go out again after this failure; none: the failure stands. `asked`: the answer's
    // Retry-After.
    std::optional<SteadyTime> next(Verdict failure, std::optional<Millis> asked, SteadyTime now);
    // Then: tells the circuit of the failure, and asks it for leave. False: the failure stands.
    bool leave(Verdict failure, std::optional<Millis> asked) { return pass_.renew(failure, asked); }
    // A probe's head was no failure: that closes the circuit. An answer may last longer than a circuit waits for its
    // probe; should it break off, the closed circuit counts that.
    void probe_answered() {
        if (pass_.probe()) pass_.renew(Verdict::success, std::nullopt);
    }
    // The upstream has done its part, however long the exchange lasts.
    void succeeded() { pass_.settle(Verdict::success, std::nullopt); }

  private:
    bool wanted(Verdict failure) const;
    Millis step(Verdict failure); // the wait before what was asked for
    Millis doubled(unsigned so_far);

    const config::RetryRules& rules_;
    const SteadyTime deadline_;
    Random& random_;
    Breaker::Pass& pass_;
    unsigned made_ = 0, made_429_ = 0;
    std::optional<SteadyTime> first_, first_429_; // failures
};

// Whether a 429's body says, by one of `words` as a JSON string, that waiting would not help.
bool says_exhausted(std::string_view body, const std::vector<std::string>& words);

} // namespace wm::mount
