#include "routing/pins.h"

#include <algorithm>

namespace wm::routing {

namespace {

constexpr std::size_t at_once = 16; // forgotten beside what is learnt, so that nobody holds the lock for long

Digest owner_of(std::string_view principal) { return Digester(process_key()).add(principal).finish(); }

Digest owned(const Digest& owner, const Digest& pin) {
    const auto bytes = [](const std::uint64_t& word) {
        return std::string_view(reinterpret_cast<const char*>(&word), sizeof word);
    };
    Digester digester(process_key());
    for (const auto* word : {&pin.low, &pin.high, &owner.low, &owner.high}) digester.add(bytes(*word));
    return digester.finish();
}

} // namespace

void Pins::limit(PinLimits limits) {
    const std::lock_guard lock(mutex_);
    limits_ = limits;
    keep_to_limit(by_pin_.size());
    for (auto owner = owners_.begin(); owner != owners_.end();) {
        const auto here = owner++;
        drop_aged(here, here->second.size());
    }
}

void Pins::learn(std::string_view principal, std::span<const Digest> pins, const Digest& holder) {
    if (pins.empty()) return;
    const auto key = owner_of(principal);
    const std::lock_guard lock(mutex_);
    if (limits_.most == 0) return;
    const auto owner = owners_.try_emplace(key).first;
    for (const auto& pin : pins) learn_one(owner, owned(key, pin), holder);
    keep_to_limit(pins.size() + at_once);

    // Who learns no more gives its memory back too, when its turn comes.
    auto turn = owners_.upper_bound(last_aged_);
    if (turn == owners_.end()) turn = owners_.begin();
    last_aged_ = turn->first;
    drop_aged(turn, pins.size() + at_once);
}

template <class Change>
void Pins::resize(Owners::iterator owner, Change change) {
    by_size_.erase({owner->second.size(), owner->first});
    change(owner->second);
    if (owner->second.empty())
        owners_.erase(owner);
    else
        by_size_.emplace(owner->second.size(), owner->first);
}

void Pins::learn_one(Owners::iterator owner, const Digest& pin, const Digest& holder) {
    auto& entries = owner->second;
    if (const auto known = by_pin_.find(pin); known != by_pin_.end())
        entries.splice(entries.begin(), entries, known->second.entry);
    else
        resize(owner, [&](Entries& grown) {
            grown.push_front({pin, {}, {}});
            by_pin_.emplace(pin, Place{owner, grown.begin()});
        });
    entries.front().holder = holder;
    entries.front().learnt = clock_.now();
}

void Pins::keep_to_limit(std::size_t by) {
    for (; by > 0 && by_pin_.size() > limits_.most; --by) drop_oldest(owners_.find(by_size_.rbegin()->second));
}

void Pins::drop_aged(Owners::iterator owner, std::size_t by) {
    const auto now = clock_.now();
    for (auto left = std::min(by, owner->second.size()); left > 0; --left) {
        if (now - owner->second.back().learnt <= limits_.age) return;
        drop_oldest(owner);
    }
}

void Pins::drop_oldest(Owners::iterator owner) {
    resize(owner, [&](Entries& entries) {
        by_pin_.erase(entries.back().pin);
        entries.pop_back();
    });
}

void Pins::forget(std::string_view principal, std::span<const Digest> pins) {
    if (pins.empty()) return;
    const auto key = owner_of(principal);
    const std::lock_guard lock(mutex_);
    for (const auto& pin : pins) {
        const auto known = by_pin_.find(owned(key, pin));
        if (known == by_pin_.end()) continue;
        resize(known->second.owner, [&](Entries& entries) { entries.erase(known->second.entry); });
        by_pin_.erase(known);
    }
}

std::optional<Digest> Pins::holder_of(std::string_view principal, std::span<const Digest> pins) const {
    if (pins.empty()) return std::nullopt;
    const auto key = owner_of(principal);
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    for (auto pin = pins.rbegin(); pin != pins.rend(); ++pin) {
        const auto known = by_pin_.find(owned(key, *pin));
        if (known == by_pin_.end()) continue;
        const auto& entry = *known->second.entry;
        if (now - entry.learnt <= limits_.age) return entry.holder;
    }
    return std::nullopt;
}

std::size_t Pins::size() const {
    const std::lock_guard lock(mutex_);
    return by_pin_.size();
}

} // namespace wm::routing
