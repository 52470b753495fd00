#include "framing/ndjson.h"

namespace wm::framing {

bool NdjsonFramer::next(Frame& frame) {
    while (problem_.empty()) {
        const auto end = pending_.view().find('\n', searched_);
        if (end == std::string_view::npos) {
            searched_ = pending_.size();
            if (searched_ > max_frame_) problem_ = "a line above the bound of a frame";
            return false;
        }
        searched_ = 0;
        if (give(pending_.use(end + 1).substr(0, end), frame)) return true;
    }
    return false;
}

bool NdjsonFramer::finish(Frame& frame) {
    searched_ = 0;
    return problem_.empty() && give(pending_.use(pending_.size()), frame);
}

bool NdjsonFramer::give(std::string_view line, Frame& frame) {
    if (line.size() > max_frame_) problem_ = "a line above the bound of a frame";
    const auto first = line.find_first_not_of(" \t\r");
    if (first == line.npos || !problem_.empty()) return false;
    frame = {};
    frame.data = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
    return true;
}

} // namespace wm::framing
