#pragma once
// Randomness as a value that tests can fix. A generator belongs to one thread.
#include <cstdint>

namespace wm {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    // splitmix64: one word of state, passes BigCrush; nothing here needs more, and no secret depends on it.
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double unit() { return double(next() >> 11) * 0x1.0p-53; }  // in [0, 1)
    std::int64_t between(std::int64_t low, std::int64_t high) { // both inclusive
        return low + std::int64_t(next() % std::uint64_t(high - low + 1));
    }

  private:
    std::uint64_t state_;
};

std::uint64_t random_seed(); // from the system's entropy

} // namespace wm
