#pragma once
// The sockets of one listening address, one for each loop, among which the kernel spreads connections.
#include "runtime/tls.h"

#include <Poco/Net/ServerSocket.h>

#include <optional>
#include <string>
#include <vector>

namespace wm::app {

struct Listener {
    std::vector<Poco::Net::ServerSocket> sockets;
    Poco::Net::Context::Ptr tls; // null: plain
    std::string url;             // "http://127.0.0.1:8080", with the real port
};

// Throws std::runtime_error: which address, and why it cannot be listened on.
Listener listen_on(const std::string& address, const std::optional<runtime::ServerTls>& tls, unsigned loops);

} // namespace wm::app
