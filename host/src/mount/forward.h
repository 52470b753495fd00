#pragma once
// One client's request through one mount.
#include "base/random.h"
#include "http/server_connection.h"
#include "http/upstream.h"
#include "metrics/counts.h"
#include "mount/conversion.h"
#include "mount/mounts.h"
#include "mount/outcome.h"

#include <functional>
#include <span>

namespace wm::mount {

// All of it outlives the call.
struct Call {
    const Mount& mount;
    runtime::Loop& loop;
    http::UpstreamPool& upstreams;
    http::ServerConnection& client;
    metrics::Counts::Provider& counts;
    runtime::Abort& abort; // fires when the client leaves; the caller watches for that
    const http::RequestHead& head;
    std::string_view path;                      // of the request, as mounts are matched by it
    std::span<const std::string_view> withheld; // see request.h
    Millis body_silence, body_total;            // of a client within its request's body, and what it may take for it
    http::HeldBytes::Share& held;               // by what of its body is kept for a retry
    Random& random;                             // of the waits before retries
    const std::function<gate::Ticket(unsigned waiting)>&
        ticket;                       // where it stands if it has to wait; asked at most once
    Conversion* conversion = nullptr; // null: the request goes as it comes, and so does the answer
};

// Waits for its permit, sends the request as it comes, again if the mount's rules say so, and the answer back as it
// comes. The permit goes back when the answer, or an upgraded connection, has ended, or as long after that as the
// mount's rules say. Unless it failed, the client's answer has begun; if it was broken off, the client's connection
// will close.
runtime::Task<Outcome> serve(const Call& call);

} // namespace wm::mount
