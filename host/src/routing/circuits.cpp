#include "routing/circuits.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace wm::routing {

namespace {

constexpr std::int64_t longest_ms = 24 * 3600 * 1000; // that a policy may ask for

} // namespace

Pass::~Pass() {
    if (!circuits_ || !probe_) return;
    circuits_->change(target_, generation_, [now = circuits_->clock_.wall_ms()](CircuitSnapshot& c) {
        c.mode = c.before_probe;
        c.next_probe_at_ms = now + Circuits::abandoned_ms;
    });
}

void Pass::succeed() {
    auto* circuits = std::exchange(circuits_, nullptr);
    if (!circuits || !probe_) return; // an ordinary success finds the circuit closed already
    circuits->change(target_, generation_, [](CircuitSnapshot& c) { c = CircuitSnapshot{.generation = c.generation}; });
}

void Pass::release() {
    auto* circuits = std::exchange(circuits_, nullptr);
    if (!circuits || !probe_) return;
    circuits->change(target_, generation_, [](CircuitSnapshot& c) { c.mode = c.before_probe; });
}

std::uint32_t Pass::level(FailureClass what) const {
    return circuits_ ? circuits_->snapshot(target_).levels[static_cast<unsigned char>(what)] : 0;
}

void Pass::fail(FailureClass what, bool suspend, std::int64_t delay_ms) {
    auto* circuits = std::exchange(circuits_, nullptr);
    if (!circuits) return;
    circuits->change(target_, generation_, [&, now = circuits->clock_.wall_ms()](CircuitSnapshot& c) {
        auto& level = c.levels[static_cast<unsigned char>(what)];
        level = std::uint8_t(std::min<unsigned>(level + 1u, 255));
        c.mode = suspend ? CircuitMode::suspended : CircuitMode::open;
        c.reason = what;
        c.opened_at_ms = now;
        c.next_probe_at_ms = now + delay_ms;
        ++c.consecutive_failures;
    });
}

Circuits::Circuits(const std::vector<std::string>& keys, CircuitStore& store, const Clock& clock,
                   const Circuits* before)
    : store_(store), clock_(clock), shared_(before ? before->shared_ : std::make_shared<Shared>()) {
    std::unordered_map<std::string_view, std::shared_ptr<Circuit>> known;
    if (before)
        for (const auto& circuit : before->circuits_) known.emplace(circuit->key, circuit);
    for (const auto& key : keys) {
        auto& circuit = circuits_.emplace_back();
        if (const auto found = known.find(key); found != known.end()) {
            circuit = found->second;
            continue;
        }
        circuit = std::make_shared<Circuit>(Circuit{key, {}});
        known.emplace(circuit->key, circuit);
        const auto saved = store_.find(key);
        if (!saved) continue;
        circuit->now = *saved;
        if (circuit->now.mode != CircuitMode::half_open) continue;
        circuit->now.mode = CircuitMode::open; // its prober went with the last process, or with the last generation
        circuit->now.next_probe_at_ms = clock_.wall_ms();
    }
}

// Applies a change if the circuit is still in the generation the caller knows; a late result is dropped.
template <class Change>
bool Circuits::change(std::uint32_t target, std::uint64_t generation, Change&& change) const {
    CircuitSnapshot after;
    {
        const std::lock_guard lock(shared_->mutex);
        auto& c = circuits_[target]->now;
        if (c.generation != generation) return false;
        change(c);
        ++c.generation;
        after = c;
    }
    store_.save(circuits_[target]->key, after);
    shared_->changes.raise();
    return true;
}

std::optional<Blocked> Circuits::blocked(std::uint32_t target) const {
    const auto now = clock_.wall_ms();
    const std::lock_guard lock(shared_->mutex);
    return blocked(circuits_[target]->now, now);
}

std::optional<Blocked> Circuits::blocked(const CircuitSnapshot& c, std::int64_t now) {
    if (c.mode == CircuitMode::closed) return std::nullopt;
    const bool probing = c.mode == CircuitMode::half_open;
    const auto due = probing ? c.probe_deadline_at_ms : c.next_probe_at_ms;
    // Further away than it ever was: the clock was wrong when it was said, and has been set back since.
    const auto longest =
        probing ? probe_limit_ms : std::clamp(c.next_probe_at_ms - c.opened_at_ms, abandoned_ms, longest_ms);
    if (now >= due || due - now > longest + set_back_ms) return std::nullopt;
    return Blocked{probing, due};
}

std::variant<Pass, Blocked> Circuits::admit(std::uint32_t target) const {
    const auto now = clock_.wall_ms();
    CircuitSnapshot after;
    {
        const std::lock_guard lock(shared_->mutex);
        auto& c = circuits_[target]->now;
        if (c.mode == CircuitMode::closed) return Pass(*this, target, c.generation, false);
        if (const auto no = blocked(c, now)) return *no;
        if (c.mode != CircuitMode::half_open) c.before_probe = c.mode;
        c.mode = CircuitMode::half_open;
        c.probe_deadline_at_ms = now + probe_limit_ms;
        ++c.generation; // also takes an overdue probe away from its holder
        after = c;
    }
    store_.save(circuits_[target]->key, after);
    return Pass(*this, target, after.generation, true);
}

CircuitSnapshot Circuits::snapshot(std::uint32_t target) const {
    const std::lock_guard lock(shared_->mutex);
    return circuits_[target]->now;
}

} // namespace wm::routing
