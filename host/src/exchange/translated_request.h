#pragma once
// A request in another protocol, on its way to a target or a mount's upstream.
#include "base/result.h"
#include "exchange/context.h"

namespace wm::exchange {

struct Mapping {
    const plugin::Transcoder& upstream;
    const config::Capabilities& capabilities;
    const translate::Approvals approvals;
    const config::TranscodeBounds& bounds;
    std::string_view model;       // as the upstream knows it
    std::uint64_t max_output = 0; // it can give; 0: not known
    std::uint32_t retries = 0;
    bool ask_usage = true;            // in a stream
    std::vector<PairView> query = {}; // of the client's, which is left behind
};

// Opens x.translation anew and gives the upstream's body. A failure that is the client's fault names the member.
Result<std::string, AttemptFailure> translate_request(Context& x, const Mapping& mapping);

} // namespace wm::exchange
