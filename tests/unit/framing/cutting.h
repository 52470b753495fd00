#pragma once
// Streams cut in every way, and what a framer makes of them.
#include "framing/framer.h"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace wm::framing {

struct Cut {
    std::vector<std::pair<std::string, std::string>> frames; // name and data
    std::string problem;
    bool operator==(const Cut&) const = default;
};

void PrintTo(const Cut& cut, std::ostream* out);

Cut cut(Framing framing, const std::vector<std::string_view>& pieces, std::size_t max_frame = 1 << 20);

// What it makes of all of it, having seen that every way of cutting it in three, and its single bytes, give the same.
Cut cut_anyhow(Framing framing, std::string_view stream, std::size_t max_frame = 1 << 20);

std::vector<std::string> data_of(const Cut& cut);

} // namespace wm::framing
