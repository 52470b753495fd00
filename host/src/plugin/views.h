#pragma once
// Views between the host's types and the ABI's. For this folder and `translate`.
#include "base/pair.h"

#include <span>
#include <string_view>
#include <vector>
#include <watermaster/plugin.h>

namespace wm::plugin {

inline wm_bytes to_bytes(std::string_view s) { return {s.data(), s.size()}; }

inline std::string_view to_view(wm_bytes b) { return b.data ? std::string_view(b.data, b.size) : std::string_view{}; }

// An array of pairs for the length of one call.
class PairArray {
  public:
    explicit PairArray(std::span<const PairView> pairs) {
        items_.reserve(pairs.size());
        for (const auto& pair : pairs) items_.push_back({to_bytes(pair.name), to_bytes(pair.value)});
    }
    wm_pairs get() const { return {items_.data(), static_cast<std::uint32_t>(items_.size()), 0}; }

  private:
    std::vector<wm_pair> items_;
};

} // namespace wm::plugin
