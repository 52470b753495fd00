#pragma once
// One attempt at moving bytes, by a plain socket or by TLS. Never blocks, never throws.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace wm::runtime {

struct Step {
    enum class Result : std::uint8_t { done, want_read, want_write, closed, failed };
    Result result;
    std::size_t bytes = 0; // when done
};

} // namespace wm::runtime
