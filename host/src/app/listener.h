#pragma once
// The sockets of one listening address, one for each loop, among which the kernel spreads connections.
#include "config/settings.h"
#include "runtime/tls.h"

#include <Poco/Net/ServerSocket.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wm::app {

// The certificates of [server]; null where it has none. The failure says which file and what is wrong with it.
Result<Poco::Net::Context::Ptr, std::string> server_context(const config::Server& server);

struct Listener {
    std::vector<Poco::Net::ServerSocket> sockets;
    std::string url; // "http://127.0.0.1:8080", with the real port
};

// Throws std::runtime_error: which address, and why it cannot be listened on.
Listener listen_on(const config::Server& server);          // [server] listen, a socket for each loop
Listener listen_for_admin(const config::Server& server);   // [server] admin_listen, one socket, plain
Listener listen_for_metrics(const config::Server& server); // [server] metrics_listen, likewise

} // namespace wm::app
