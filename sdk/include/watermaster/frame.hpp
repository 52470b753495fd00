#pragma once
// A frame as plugins see it; a view for one call.
#include "bytes.hpp"

#include <string_view>

namespace wm::sdk {

struct Frame {
    explicit Frame(const wm_frame& f) : name(view(f.name)), data(view(f.data)), kind(f.kind) {}
    Frame(std::uint32_t kind_of, std::string_view name_of, std::string_view data_of)
        : name(name_of), data(data_of), kind(kind_of) {}

    std::string_view name, data;
    std::uint32_t kind; // WM_FRAME_
};

} // namespace wm::sdk
