#include "runtime/frame_memory.h"

#include <array>
#include <new>
#include <utility>

namespace wm::runtime {

namespace {

// The sanitizers see the use of a frame after its end only if it really goes back.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kept = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kept = false;
#else
constexpr bool kept = true;
#endif
#else
constexpr bool kept = true;
#endif

constexpr std::size_t step = 64;
constexpr std::size_t largest = 4096;
constexpr std::size_t kept_of_a_size = 64 * 1024; // bytes

constexpr std::size_t class_of(std::size_t size) { return (size - 1) / step; }
constexpr std::size_t size_of(std::size_t index) { return (index + 1) * step; }

struct Free {
    Free* next;
};

class Frames {
  public:
    ~Frames() {
        for (std::size_t i = 0; i < lists_.size(); ++i)
            while (lists_[i].first) ::operator delete(pop(i));
        closed_ = true;
    }

    void* take(std::size_t index) { return lists_[index].first ? pop(index) : ::operator new(size_of(index)); }

    void give(void* frame, std::size_t index) noexcept {
        auto& list = lists_[index];
        if (closed_ || list.bytes >= kept_of_a_size) return ::operator delete(frame);
        list.first = new (frame) Free{list.first};
        list.bytes += size_of(index);
    }

  private:
    struct List {
        Free* first = nullptr;
        std::size_t bytes = 0;
    };
    void* pop(std::size_t index) {
        auto& list = lists_[index];
        list.bytes -= size_of(index);
        return std::exchange(list.first, list.first->next);
    }

    std::array<List, class_of(largest) + 1> lists_{};
    bool closed_ = false; // the thread is ending, and what it still gives back is not kept
};

thread_local Frames frames;

} // namespace

void* take_frame(std::size_t size) {
    if (!kept || size > largest) return ::operator new(size);
    return frames.take(class_of(size));
}

void give_frame(void* frame, std::size_t size) noexcept {
    if (!kept || size > largest) return ::operator delete(frame);
    frames.give(frame, class_of(size));
}

} // namespace wm::runtime
