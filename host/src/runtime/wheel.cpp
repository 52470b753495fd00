#include "runtime/wheel.h"
#include <algorithm>
#include <bit>

namespace wm::runtime {

void Wheel::arm(WheelEntry& entry, SteadyTime now, Millis timeout) {
    entry.unlink();
    const auto wait = std::clamp<Millis>(timeout, Millis(0), std::chrono::hours(24 * 366)); // no overflow below
    const auto due = (now - start_ + wait + tick - SteadyTime::duration(1)) / tick;
    entry.due = std::max(std::uint64_t(due), now_ + 1);
    const auto slot = entry.due % slots;
    wheel_[slot].append(entry);
    occupied_[slot / 64] |= std::uint64_t(1) << slot % 64;
}

void Wheel::advance(SteadyTime now) {
    const auto target = ticks(now);
    // After a long pause one whole turn of the wheel meets every entry; more would only meet them again.
    const auto turns = std::min<std::uint64_t>(target - now_, slots);
    const auto first = now_ + 1;
    now_ = target;
    for (auto t = first; t < first + turns; ++t) {
        const auto slot = t % slots;
        auto& bits = occupied_[slot / 64];
        const auto bit = std::uint64_t(1) << slot % 64;
        if (!(bits & bit)) continue;
        bits &= ~bit;
        drain<WheelEntry>(wheel_[slot], [&](WheelEntry& e) {
            if (e.due <= target) return e.expired();
            wheel_[slot].append(e);
            bits |= bit;
        });
    }
}

Millis Wheel::until_next(SteadyTime now) const {
    const auto from = now_ + 1;
    for (std::uint64_t ahead = 0; ahead < slots;) { // by words, from the slot of the next tick
        const auto slot = (from + ahead) % slots;
        const auto word = occupied_[slot / 64] >> slot % 64;
        if (word == 0) {
            ahead += 64 - slot % 64;
            continue;
        }
        ahead += std::uint64_t(std::countr_zero(word));
        const auto wait = start_ + std::int64_t(from + ahead) * tick - now;
        return wait.count() <= 0 ? Millis(0) : std::chrono::ceil<Millis>(wait);
    }
    return forever;
}

} // namespace wm::runtime
