#include <watermaster/testing/sse.hpp>

#include <utility>

namespace wm::sdk::testing {

std::vector<SseFrame> SseFrames::feed(std::string_view bytes) {
    std::vector<SseFrame> out;
    for (const char c : bytes) {
        const bool second_half = c == '\n' && after_cr_;
        after_cr_ = c == '\r';
        if (second_half) continue;
        if (c == '\n' || c == '\r')
            take_line(out);
        else
            line_ += c;
    }
    return out;
}

void SseFrames::take_line(std::vector<SseFrame>& out) {
    const std::string line = std::exchange(line_, {});
    if (line.empty()) {
        if (any_data_) out.push_back(std::move(frame_));
        frame_ = {};
        any_data_ = false;
        return;
    }
    const auto colon = line.find(':');
    const std::string_view name = std::string_view(line).substr(0, colon);
    std::string_view value = colon == line.npos ? std::string_view() : std::string_view(line).substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (name == "event") {
        frame_.name = value;
    } else if (name == "data") {
        if (std::exchange(any_data_, true)) frame_.data += '\n';
        frame_.data += value;
    }
}

std::vector<SseFrame> sse_frames(std::string_view stream) { return SseFrames().feed(stream); }

} // namespace wm::sdk::testing
