#pragma once
#include <cstddef>

namespace wm::runtime {

// Memory of coroutine frames. Most live for one await, and a request has some twenty: each thread keeps those it was
// given back, within bounds, for the next ones of their size. Any thread may give back what another took.
void* take_frame(std::size_t size); // throws std::bad_alloc
void give_frame(void* frame, std::size_t size) noexcept;

} // namespace wm::runtime
