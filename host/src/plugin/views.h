#pragma once
// Views between the host's types and the ABI's. For this folder and `translate`.
#include "base/pair.h"
#include "framing/framing.h"

#include <span>
#include <string_view>
#include <vector>
#include <watermaster/plugin.h>

namespace wm::plugin {

inline wm_bytes to_bytes(std::string_view s) { return {s.data(), s.size()}; }

inline std::string_view to_view(wm_bytes b) { return b.data ? std::string_view(b.data, b.size) : std::string_view{}; }

inline std::uint32_t to_kind(framing::FrameKind kind) {
    static_assert(std::uint32_t(framing::FrameKind::message) == WM_FRAME_MESSAGE);
    static_assert(std::uint32_t(framing::FrameKind::document) == WM_FRAME_DOCUMENT);
    static_assert(std::uint32_t(framing::FrameKind::raw) == WM_FRAME_RAW);
    return std::uint32_t(kind);
}

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
