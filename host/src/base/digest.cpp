#include "base/digest.h"

#include "base/random.h"

#include <bit>

namespace wm {

namespace {

std::uint64_t byte_at(char c, std::uint64_t place) {
    return std::uint64_t(static_cast<unsigned char>(c)) << (8 * place);
}

std::uint64_t word_of(std::string_view eight) {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < 8; ++i) word |= byte_at(eight[i], i);
    return word;
}

} // namespace

Digester::Digester(const DigestKey& key)
    : v0_(0x736f6d6570736575u ^ key[0]), v1_(0x646f72616e646f6du ^ key[1] ^ 0xee), v2_(0x6c7967656e657261u ^ key[0]),
      v3_(0x7465646279746573u ^ key[1]) {}

void Digester::round() {
    v0_ += v1_;
    v1_ = std::rotl(v1_, 13) ^ v0_;
    v0_ = std::rotl(v0_, 32);
    v2_ += v3_;
    v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ += v3_;
    v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ += v1_;
    v1_ = std::rotl(v1_, 17) ^ v2_;
    v2_ = std::rotl(v2_, 32);
}

void Digester::absorb(std::uint64_t word) {
    v3_ ^= word;
    round();
    round();
    v0_ ^= word;
}

Digester& Digester::add(std::string_view piece) {
    while ((length_ & 7) == 0 && piece.size() >= 8) { // whole words at once: a handle may be long
        absorb(word_of(piece));
        length_ += 8;
        piece.remove_prefix(8);
    }
    for (const char c : piece) {
        word_ |= byte_at(c, length_ & 7);
        if ((++length_ & 7) != 0) continue;
        absorb(word_);
        word_ = 0;
    }
    return *this;
}

Digest Digester::finish() {
    absorb(word_ | length_ << 56);
    const auto half = [this] {
        for (int i = 0; i < 4; ++i) round();
        return v0_ ^ v1_ ^ v2_ ^ v3_;
    };
    Digest digest;
    v2_ ^= 0xee;
    digest.low = half();
    v1_ ^= 0xdd;
    digest.high = half();
    return digest;
}

const DigestKey& process_key() {
    static const DigestKey key{random_seed(), random_seed()};
    return key;
}

Digest digest_of(std::initializer_list<std::string_view> texts) {
    using namespace std::string_view_literals;
    Digester digester(process_key());
    bool first = true;
    for (const auto text : texts) {
        if (!first) digester.add("\0"sv);
        first = false;
        digester.add(text);
    }
    return digester.finish();
}

} // namespace wm
