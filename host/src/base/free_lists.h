#pragma once
// Memory given back is kept for the next who asks for the same size: for what comes and goes with every request.
#include <array>
#include <cstddef>
#include <new>
#include <utility>

namespace wm {

// The sanitizers see the use of memory after its end only if it really goes back.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool freed_memory_is_kept = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool freed_memory_is_kept = false;
#else
inline constexpr bool freed_memory_is_kept = true;
#endif
#else
inline constexpr bool freed_memory_is_kept = true;
#endif

// One list for each multiple of `step` bytes up to `largest`; each keeps at most `kept_of_a_size` bytes. One thread's.
template <std::size_t step, std::size_t largest, std::size_t kept_of_a_size>
class FreeLists {
  public:
    FreeLists() = default;
    ~FreeLists() {
        for (std::size_t i = 0; i < lists_.size(); ++i)
            while (lists_[i].first) ::operator delete(pop(i));
        closed_ = true;
    }
    FreeLists(const FreeLists&) = delete;

    static constexpr bool holds(std::size_t size) { return freed_memory_is_kept && size > 0 && size <= largest; }
    static constexpr bool same_list(std::size_t a, std::size_t b) { return holds(a) && holds(b) && at(a) == at(b); }

    // For a size that it holds; null when out of memory.
    void* take(std::size_t size) noexcept {
        const auto i = at(size);
        return lists_[i].first ? pop(i) : ::operator new(size_of(i), std::nothrow);
    }
    void give(void* block, std::size_t size) noexcept {
        const auto i = at(size);
        auto& list = lists_[i];
        if (closed_ || list.bytes >= kept_of_a_size) return ::operator delete(block);
        list.first = new (block) Free{list.first};
        list.bytes += size_of(i);
    }

  private:
    struct Free {
        Free* next;
    };
    struct List {
        Free* first = nullptr;
        std::size_t bytes = 0;
    };
    static constexpr std::size_t at(std::size_t size) { return (size - 1) / step; }
    static constexpr std::size_t size_of(std::size_t index) { return (index + 1) * step; }
    void* pop(std::size_t index) {
        auto& list = lists_[index];
        list.bytes -= size_of(index);
        return std::exchange(list.first, list.first->next);
    }

    std::array<List, at(largest) + 1> lists_{};
    bool closed_ = false; // a thread's own may be asked once more while the thread ends
};

} // namespace wm
