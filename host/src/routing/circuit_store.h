#pragma once
// Where circuits survive. Loaded when a generation is made; written behind; never awaited by a request.
#include "base/failure_class.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

namespace wm::routing {

enum class CircuitMode : unsigned char { closed, open, half_open, suspended };

constexpr std::string_view to_string(CircuitMode mode) {
    constexpr std::string_view names[] = {"closed", "open", "half-open", "suspended"};
    return names[static_cast<unsigned char>(mode)];
}

// Times are Unix milliseconds, so that a snapshot means the same after a restart.
struct CircuitSnapshot {
    CircuitMode mode = CircuitMode::closed;
    CircuitMode before_probe = CircuitMode::open; // what a half-open circuit goes back to when its probe tells nothing
    FailureClass reason = FailureClass::local;    // of the last accepted failure
    std::int64_t opened_at_ms = 0, next_probe_at_ms = 0, probe_deadline_at_ms = 0;
    std::uint32_t consecutive_failures = 0;
    std::uint64_t generation = 0;
    // A level for each class, so that failures of alternating classes still escalate. All reset on success.
    std::array<std::uint8_t, failure_class_names.size()> levels{};
};

class CircuitStore {
  public:
    virtual ~CircuitStore() = default;
    virtual std::unordered_map<std::string, CircuitSnapshot> load() = 0; // may block
    virtual void save(const std::string& target,
                      const CircuitSnapshot& snapshot) noexcept = 0; // any thread; must not block
};

class MemoryCircuitStore final : public CircuitStore {
  public:
    std::unordered_map<std::string, CircuitSnapshot> load() override {
        const std::lock_guard lock(mutex_);
        return saved_;
    }
    void save(const std::string& target, const CircuitSnapshot& snapshot) noexcept override {
        const std::lock_guard lock(mutex_);
        saved_.insert_or_assign(target, snapshot);
    }

  private:
    std::mutex mutex_;
    std::unordered_map<std::string, CircuitSnapshot> saved_;
};

} // namespace wm::routing
