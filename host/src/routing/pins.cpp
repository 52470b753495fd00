#include "routing/pins.h"

namespace wm::routing {

namespace {

constexpr std::size_t at_once = 16; // forgotten beside what is learnt, so that nobody holds the lock for long

Digest owned(std::string_view principal, const Digest& pin) {
    const auto bytes = [](const std::uint64_t& word) {
        return std::string_view(reinterpret_cast<const char*>(&word), sizeof word);
    };
    return Digester(process_key()).add(bytes(pin.low)).add(bytes(pin.high)).add(principal).finish();
}

} // namespace

void Pins::limit(PinLimits limits) {
    const std::lock_guard lock(mutex_);
    limits_ = limits;
    shrink(entries_.size());
}

void Pins::learn(std::string_view principal, std::span<const Digest> pins, const Digest& holder) {
    if (pins.empty()) return;
    const std::lock_guard lock(mutex_);
    for (const auto& pin : pins) learn_one(owned(principal, pin), holder);
    shrink(pins.size() + at_once);
}

void Pins::learn_one(const Digest& pin, const Digest& holder) {
    if (limits_.most == 0) return;
    if (const auto known = by_pin_.find(pin); known != by_pin_.end()) {
        entries_.splice(entries_.begin(), entries_, known->second);
    } else {
        entries_.push_front({pin, {}, {}});
        by_pin_.emplace(pin, entries_.begin());
    }
    entries_.front().holder = holder;
    entries_.front().learnt = clock_.now();
}

void Pins::shrink(std::size_t by) {
    const auto now = clock_.now();
    for (; by > 0 && !entries_.empty(); --by) {
        if (entries_.size() <= limits_.most && now - entries_.back().learnt <= limits_.age) return;
        by_pin_.erase(entries_.back().pin);
        entries_.pop_back();
    }
}

void Pins::forget(std::string_view principal, std::span<const Digest> pins) {
    if (pins.empty()) return;
    const std::lock_guard lock(mutex_);
    for (const auto& pin : pins) {
        const auto known = by_pin_.find(owned(principal, pin));
        if (known == by_pin_.end()) continue;
        entries_.erase(known->second);
        by_pin_.erase(known);
    }
}

std::optional<Digest> Pins::holder_of(std::string_view principal, std::span<const Digest> pins) const {
    if (pins.empty()) return std::nullopt;
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    for (auto pin = pins.rbegin(); pin != pins.rend(); ++pin) {
        const auto known = by_pin_.find(owned(principal, *pin));
        if (known != by_pin_.end() && now - known->second->learnt <= limits_.age) return known->second->holder;
    }
    return std::nullopt;
}

std::size_t Pins::size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
}

} // namespace wm::routing
