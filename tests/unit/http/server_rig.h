#pragma once
#include "http/server_connection.h"
#include "rig.h"

namespace wm::http::testing {

// A ServerConnection and its client.
struct ServerRig : Rig {
    explicit ServerRig(ServerLimits given = {}) : limits(given) {}

    Arrival next() { return await(connection.next(head)); }
    Io respond(int status, std::string_view body) { return await(connection.respond(status, {}, body)); }

    ServerLimits limits;
    Poco::Net::ServerSocket listener = listen_somewhere();
    Peer client{Poco::Net::StreamSocket(listener.address())};
    std::optional<runtime::Stream> stream{std::in_place, loop, abort, listener.acceptConnection(),
                                          runtime::Stream::Start::accepted};
    ServerConnection connection{loop, abort, *stream, limits};
    RequestHead head;
};

} // namespace wm::http::testing
