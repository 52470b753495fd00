// A stream of events: no byte is lost or changed, and the events do not depend on the reads.
#include "framing/sse.h"
#include "target.h"

#include <algorithm>
#include <string>

using namespace wm::framing;
using wm::fuzz::require;

namespace {

struct Framed {
    std::string raw, events;
};

Framed frame(std::string_view bytes, std::size_t piece, std::size_t cap) {
    SseFramer framer(cap);
    Frame event;
    Framed framed;
    const auto take = [&] {
        require(!event.raw.empty(), "an event has bytes");
        framed.raw += event.raw;
        if (event.comment_only || event.oversized) return;
        framed.events.append(event.name).append("\x01").append(event.data).append(event.complete ? "\x02" : "\x03");
    };
    for (std::size_t at = 0; at < bytes.size(); at += std::min(piece, bytes.size() - at)) {
        framer.feed(bytes.substr(at, piece));
        while (framer.next(event)) take();
        require(framer.held() <= cap, "what is held is bounded");
    }
    if (framer.finish(event)) take();
    return framed;
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto bytes = wm::fuzz::text(data, size).substr(1);
    const auto whole = frame(bytes, SIZE_MAX, 1 << 20);
    require(whole.raw == bytes, "all raw spans are the input");
    for (const std::size_t piece : {std::size_t(1), std::size_t(data[0]) + 1}) {
        const auto split = frame(bytes, piece, 1 << 20);
        require(split.raw == bytes, "all raw spans are the input, in pieces");
        require(split.events == whole.events, "the events do not depend on the reads");
        require(frame(bytes, piece, 16).raw == bytes, "a cap loses nothing");
    }
    return 0;
}
