#include "base/digest.h"

#include <gtest/gtest.h>

#include <string>

using namespace wm;

namespace {

constexpr DigestKey key{0x0706050403020100u, 0x0f0e0d0c0b0a0908u};

std::string counting(std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += char(i);
    return text;
}

std::string hex(const Digest& digest) {
    std::string out;
    for (const auto half : {digest.low, digest.high})
        for (unsigned i = 0; i < 8; ++i) {
            char pair[3];
            std::snprintf(pair, sizeof pair, "%02X", unsigned(half >> (8 * i) & 0xff));
            out += pair;
        }
    return out;
}

struct Known {
    std::size_t size;
    const char* digest;
};

// As `openssl mac -macopt hexkey:000102…0f -macopt size:16 SIPHASH` says.
constexpr Known known[] = {{0, "A3817F04BA25A8E66DF67214C7550293"},  {1, "DA87C1D86B99AF44347659119B22FC45"},
                           {7, "A1F1EBBED8DBC153C0B84AA61FF08239"},  {8, "3B62A9BA6258F5610F83E264F31497B4"},
                           {15, "5493E99933B0A8117E08EC0F97CFC3D9"}, {64, "1EAF077DC0D4CD3F8CAD4D383658A74B"}};

TEST(Digest, IsSipHash) {
    for (const auto& [size, digest] : known) EXPECT_EQ(hex(Digester(key).add(counting(size)).finish()), digest) << size;
}

TEST(Digest, DoesNotDependOnHowTheTextWasCut) {
    const auto text = counting(64);
    for (std::size_t first = 0; first <= text.size(); ++first)
        for (std::size_t second = first; second <= text.size(); second += 5) {
            Digester digester(key);
            digester.add(text.substr(0, first)).add(text.substr(first, second - first)).add(text.substr(second));
            EXPECT_EQ(hex(digester.finish()), known[5].digest) << first << ' ' << second;
        }
}

TEST(Digest, OfTheProcessIsItsOwnAndStays) {
    EXPECT_EQ(digest_of({"a", "b"}), digest_of({"a", "b"}));
    EXPECT_NE(process_key(), key);
    EXPECT_NE(process_key()[0], process_key()[1]);
}

TEST(Digest, BordersCount) {
    EXPECT_NE(digest_of({"ab", "c"}), digest_of({"a", "bc"}));
    EXPECT_NE(digest_of({"a", ""}), digest_of({"a"}));
}

} // namespace
