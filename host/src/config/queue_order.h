#pragma once
#include "base/clock.h"

#include <optional>
#include <string_view>

namespace wm::config {

// How those who wait at a gate are ordered inside a class.
struct QueueOrder {
    bool fifo = false;                   // queue_order: by arrival alone, else by turns
    std::optional<Millis> promote_after; // queue_promote_after; none: never

    std::string_view word() const { return fifo ? "fifo" : "fair"; }
};

} // namespace wm::config
