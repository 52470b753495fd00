#pragma once
// A keyed digest (SipHash-2-4 with 128 bits of result): tells whether two texts are equal without keeping either, and
// to whoever does not know the key it says nothing about them.
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace wm {

struct Digest {
    std::uint64_t low = 0, high = 0;
    auto operator<=>(const Digest&) const = default;
};

struct DigestHash { // as good as random already
    std::size_t operator()(const Digest& digest) const noexcept { return digest.low; }
};

using DigestKey = std::array<std::uint64_t, 2>;

// Of a text that comes in pieces.
class Digester {
  public:
    explicit Digester(const DigestKey& key);
    Digester& add(std::string_view piece);
    Digest finish(); // once; the last call

  private:
    void round();
    void absorb(std::uint64_t word);

    std::uint64_t v0_, v1_, v2_, v3_;
    std::uint64_t word_ = 0; // the bytes that do not fill a word yet, the first lowest
    std::uint64_t length_ = 0;
};

// Drawn at random when it is first asked for, the same until the process ends, and kept nowhere. [any thread]
const DigestKey& process_key();

// By the process's key, of texts that must not hold NUL but in the last: their borders count.
Digest digest_of(std::initializer_list<std::string_view> texts);

} // namespace wm
