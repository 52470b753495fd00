#include "base/random.h"

#include <random>

namespace wm {

std::uint64_t random_seed() {
    std::random_device source;
    return std::uint64_t(source()) << 32 | source();
}

} // namespace wm
