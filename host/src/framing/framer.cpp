#include "framing/framer.h"

#include "framing/aws_eventstream.h"
#include "framing/json_array.h"
#include "framing/ndjson.h"
#include "framing/sse.h"
#include "framing/unframed.h"

namespace wm::framing {

std::unique_ptr<Framer> make_framer(Framing framing, std::size_t max_frame) {
    switch (framing) {
    case Framing::sse: return std::make_unique<SseFramer>(max_frame);
    case Framing::ndjson: return std::make_unique<NdjsonFramer>(max_frame);
    case Framing::json_array: return std::make_unique<JsonArrayFramer>(max_frame);
    case Framing::aws_eventstream: return std::make_unique<AwsEventstreamFramer>(max_frame);
    case Framing::document: return std::make_unique<DocumentFramer>(max_frame);
    case Framing::raw: break;
    }
    return std::make_unique<RawFramer>();
}

} // namespace wm::framing
