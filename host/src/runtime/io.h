#pragma once
// What an await comes back with. Failures of I/O are values: nothing here throws.
#include "base/clock.h"
#include <cstddef>
#include <cstdint>

namespace wm::runtime {

enum class Io : std::uint8_t {
    ok,
    closed,    // the peer ended its side in order
    timed_out, // the await's own limit passed
    cancelled, // the Abort given to the await was fired
    failed,    // anything else; the object awaited on says what
};

struct Filled {
    Io status;
    std::size_t bytes; // 0 unless ok
};

inline constexpr Millis forever = Millis::max(); // as a timeout: none

} // namespace wm::runtime
