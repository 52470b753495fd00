#pragma once
// The request as it goes to a target: renamed, prepared by the adapter, edited, and last of all given its secret.
#include "base/result.h"
#include "exchange/context.h"
#include "http/url.h"

#include <memory>
#include <string>

namespace wm::exchange {

struct UpstreamRequest {
    std::shared_ptr<const http::Origin> origin;       // never null
    std::string bytes;                                // head and body; holds the secret: never logged
    bool asked_usage = false;                         // the gateway alone asked for usage in the stream
    framing::Framing framing = framing::Framing::sse; // of a streamed answer
};

// In the protocol `egress`, translated where it is not the client's.
Result<UpstreamRequest, AttemptFailure> build_upstream_request(Context& x, const config::Target& target,
                                                               const plugin::Transcoder& egress, std::uint32_t retries);

} // namespace wm::exchange
