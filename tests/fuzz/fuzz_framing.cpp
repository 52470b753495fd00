// A stream in one of the framings that are cut into messages: the frames, and what is wrong with it, do not depend on
// the reads, and what is held is bounded.
#include "framing/framer.h"
#include "target.h"

#include <algorithm>
#include <string>

using namespace wm::framing;
using wm::fuzz::require;

namespace {

constexpr Framing under_test = WM_FRAMING_UNDER_TEST;

std::string frames_of(std::string_view bytes, std::size_t piece, std::size_t cap) {
    const auto framer = make_framer(under_test, cap);
    std::string out;
    Frame frame;
    const auto take = [&] {
        require(frame.data.size() <= cap, "a frame is bounded");
        out.append(frame.name).append("\x01").append(frame.data).append("\x02");
    };
    for (std::size_t at = 0; at < bytes.size() && framer->problem().empty();) {
        const auto part = bytes.substr(at, piece);
        framer->feed(part);
        at += part.size();
        while (framer->next(frame)) take();
        require(!framer->problem().empty() || framer->held() <= cap + 16, "what is held is bounded");
    }
    if (framer->problem().empty() && framer->finish(frame)) take();
    return out.append(framer->problem());
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto bytes = wm::fuzz::text(data, size).substr(1);
    for (const std::size_t cap : {std::size_t(1) << 20, std::size_t(24)}) {
        const auto whole = frames_of(bytes, SIZE_MAX, cap);
        require(frames_of(bytes, 1, cap) == whole, "byte by byte the same");
        require(frames_of(bytes, std::size_t(data[0]) + 1, cap) == whole, "in pieces the same");
    }
    return 0;
}
