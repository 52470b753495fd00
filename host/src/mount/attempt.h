#pragma once
// One sending of a request: a connection, and the conversation over it.
#include "mount/conversation.h"

namespace wm::mount {

struct Attempted {
    Outcome outcome;
    std::optional<SteadyTime> retry_at; // the client was sent nothing: the request goes out again then
    bool stale = false; // the connection had been closed before the request came: nothing was said of the upstream
};

// `fresh`: over a new connection. Both ends of the exchange's time and its count of retries outlive the call.
runtime::Task<Attempted> attempt_on(const Call& call, Outgoing& outgoing, Retries& retries, bool fresh,
                                    SteadyTime deadline);

} // namespace wm::mount
