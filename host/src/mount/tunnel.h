#pragma once
// An upgraded connection: whatever either side says goes to the other.
#include "mount/forward.h"

namespace wm::mount {

// Until both sides have ended theirs, one of them fails, or both have been silent for the mount's upstream_read. The
// client has been told of the switch; `attempt` is what the upstream's connection waits with.
runtime::Task<> tunnel(const Call& call, http::UpstreamConnection& upstream, runtime::Abort& attempt);

} // namespace wm::mount
