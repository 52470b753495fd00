#pragma once
// How the frames of an upstream's stream become the client's: as they are, while a tap judges them, or translated. The
// relay decides about commitment, failure and the end, the same for both. What the client gets are server-sent events,
// but for a native stream that its protocol frames itself (`raw`).
#include "exchange/context.h"
#include "framing/framer.h"

namespace wm::exchange {

struct Upstream;

class StreamSide {
  public:
    virtual ~StreamSide() = default;

    // One frame of the upstream: what goes to the client is appended to `out`. A frame that says the answer failed is
    // not.
    virtual plugin::Called<plugin::TapReport> frame(const framing::Frame& frame, std::string& out) = 0;
    // The provider's own words of a failure, where they are the client's protocol.
    virtual bool pass_on(const framing::Frame& frame, std::string& out) = 0;
    // The upstream's stream is over. `terminal`: the answer was complete.
    virtual plugin::TapReport end(std::string& out) = 0;
    // Ends the client's stream with an error.
    virtual void close(const plugin::ErrorReport& error, std::string& out) = 0;
};

plugin::Called<std::unique_ptr<StreamSide>> open_stream_side(Context& x, const Upstream& up);

} // namespace wm::exchange
