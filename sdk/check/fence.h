#pragma once
// Memory that punishes what a plugin must not do: bytes end right before a page nobody may touch, so reading past a
// view is a crash, and they are overwritten by the next, so a view kept beyond its call says something else.
#include <cstddef>
#include <string_view>

namespace wm::check {

class Fence {
  public:
    explicit Fence(std::size_t capacity);
    ~Fence();
    Fence(const Fence&) = delete;
    Fence& operator=(const Fence&) = delete;

    // A copy of `text`, valid until the next call; at most `capacity` bytes of it.
    std::string_view hold(std::string_view text);

  private:
    char* start_;
    std::size_t size_;
};

} // namespace wm::check
