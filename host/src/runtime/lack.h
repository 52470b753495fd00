#pragma once
// What this side is out of. It says nothing of the peer that was to be reached.
#include <cerrno>

namespace wm::runtime {

enum class Lack : unsigned char { none, descriptors, other };

constexpr Lack lack_of(int error) {
    switch (error) {
    case EMFILE:
    case ENFILE: return Lack::descriptors;
    case ENOBUFS:
    case ENOMEM:
    case EADDRNOTAVAIL: // local ports
        return Lack::other;
    default: return Lack::none;
    }
}

} // namespace wm::runtime
