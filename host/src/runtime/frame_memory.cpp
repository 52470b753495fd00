#include "runtime/frame_memory.h"

#include "base/free_lists.h"

namespace wm::runtime {

namespace {

using Frames = FreeLists<64, 4096, 64 * 1024>;

thread_local Frames frames;

} // namespace

void* take_frame(std::size_t size) {
    if (!Frames::holds(size)) return ::operator new(size);
    if (void* frame = frames.take(size)) return frame;
    throw std::bad_alloc();
}

void give_frame(void* frame, std::size_t size) noexcept {
    if (!Frames::holds(size)) return ::operator delete(frame);
    frames.give(frame, size);
}

} // namespace wm::runtime
