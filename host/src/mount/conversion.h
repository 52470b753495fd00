#pragma once
// A request that its upstream gets in another form than the client's, and the answer's way back.
#include "http/upstream.h"
#include "mount/outcome.h"

#include <string>

namespace wm::mount {

// What has come of an answer: its head, and perhaps some of its body.
struct BegunAnswer {
    const http::ResponseHead& head;
    std::string read = {};
    http::BodyPiece last = http::BodyPiece::more; // how that reading ended
};

class Conversion {
  public:
    virtual ~Conversion() = default;

    virtual bool streams() const = 0; // whether the client asked for a stream
    // Head and body, whole; they hold a secret. Once.
    virtual std::string take_request() = 0;
    // Gives the client its answer. Unless that failed, the client has all of it, or its stream was ended as its
    // protocol has it.
    virtual runtime::Task<Outcome> relay(http::UpstreamConnection& upstream, BegunAnswer answer,
                                         SteadyTime deadline) = 0;
};

} // namespace wm::mount
