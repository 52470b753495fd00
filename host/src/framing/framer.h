#pragma once
// Bytes of a stream in, frames out: the same frames, however the bytes come.
#include "framing/framing.h"

#include <cstddef>
#include <memory>
#include <string_view>

namespace wm::framing {

// Views are valid until the next call of the framer that gave them.
struct Frame {
    std::string_view raw;      // of `sse` and `raw`: exactly as received, with what ends it, and all raws together are
                               // exactly the input; of other framings empty
    std::string_view name;     // of an event; empty: none
    std::string_view data;     // what plugins read
    bool comment_only = false; // sse: no `data` line; a reader would dispatch nothing
    bool complete = true;      // false: the stream ended before the frame did
    bool oversized = false; // sse: only `raw` is set: a piece of an event above the bound, passed on unread; the last
                            // piece of it is `complete`
};

// Usage: framer.feed(bytes); while (framer.next(frame)) ...; at the end of the stream: if (framer.finish(frame)) ...
// Where next or finish said false, problem() may say that the stream is not of this framing; it is over then.
class Framer {
  public:
    virtual ~Framer() = default;

    virtual void feed(std::string_view bytes) = 0;
    virtual bool next(Frame& frame) = 0;   // false: it takes more bytes
    virtual bool finish(Frame& frame) = 0; // the rest, if it is one; only after next() said false
    virtual std::size_t held() const = 0;  // bytes
    // For a log, holding no byte of the stream. Empty: none.
    virtual std::string_view problem() const { return {}; }
};

// `max_frame`: bytes of a frame; a larger one is a problem, but in `sse`, where it passes unread.
std::unique_ptr<Framer> make_framer(Framing framing, std::size_t max_frame);

} // namespace wm::framing
