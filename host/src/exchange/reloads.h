#pragma once
// What reloads have come to since the start, for the admin listener and metrics. [any thread]
#include "policy/renewal.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace wm::exchange {

class Reloads {
  public:
    struct Outcome {
        std::int64_t at_ms = 0;
        std::uint64_t generation = 0;      // the one in use afterwards
        bool accepted = false;             // it is a new one
        std::vector<std::string> problems; // each with file and line: why nothing, or not all, was taken
        std::vector<std::string> notes;    // what needs a restart, what is new
    };

    std::atomic<std::uint64_t> accepted{0}, refused{0};
    policy::RenewalCounters policies; // scripts, by cause

    void record(Outcome outcome) {
        ++(outcome.accepted ? accepted : refused);
        const std::lock_guard lock(mutex_);
        last_ = std::move(outcome);
    }
    std::optional<Outcome> last() const {
        const std::lock_guard lock(mutex_);
        return last_;
    }

  private:
    mutable std::mutex mutex_;
    std::optional<Outcome> last_;
};

} // namespace wm::exchange
