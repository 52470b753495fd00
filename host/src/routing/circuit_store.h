#pragma once
// Where circuits survive the generations that they are in. Asked when a generation is made; never awaited by a request.
#include "base/failure_class.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
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

// Called by any thread, also while requests are served.
class CircuitStore {
  public:
    virtual ~CircuitStore() = default;
    // What was saved of it last, in this process or in one before.
    virtual std::optional<CircuitSnapshot> find(const std::string& circuit) const = 0;
    // Must not block. Saves may overtake each other: the later generation stays.
    virtual void save(const std::string& circuit, const CircuitSnapshot& snapshot) noexcept = 0;
};

// Ends with the process.
class MemoryCircuitStore final : public CircuitStore {
  public:
    std::optional<CircuitSnapshot> find(const std::string& circuit) const override {
        const std::lock_guard lock(mutex_);
        const auto found = saved_.find(circuit);
        return found == saved_.end() ? std::nullopt : std::optional(found->second);
    }
    void save(const std::string& circuit, const CircuitSnapshot& snapshot) noexcept override {
        const std::lock_guard lock(mutex_);
        auto& kept = saved_[circuit];
        if (snapshot.generation >= kept.generation) kept = snapshot;
    }

  private:
    mutable std::mutex mutex_;
    std::unordered_map<std::string, CircuitSnapshot> saved_;
};

} // namespace wm::routing
