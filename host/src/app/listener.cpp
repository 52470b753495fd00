#include "app/listener.h"

#include <Poco/Net/SocketAddress.h>

#include <cerrno>
#include <stdexcept>
#include <thread>

namespace wm::app {

namespace {

constexpr int backlog = 4096;

// What to do about what the system said.
std::string remedy(int error, const std::string& key) {
    if (error == EACCES)
        return "a port below 1024 takes the capability CAP_NET_BIND_SERVICE (a drop-in of the unit may give it); or "
               "set " +
               key + " to a port from 1024";
    if (error == EADDRNOTAVAIL)
        return "this machine has no such address; set " + key +
               " to one of its own, or to 0.0.0.0 or [::] for all of them";
    if (error == EADDRINUSE) return "is another program using the address? Set " + key + " to a free one";
    return "set " + key + " to another address";
}

// `key`: of [server], that says the address.
Listener listen_on(std::string_view key, const std::string& text, std::string_view scheme, unsigned sockets) {
    Listener listener;
    try {
        Poco::Net::SocketAddress address(text);
        // Sockets that share a port would also share it, silently, with another process: the first asks for it alone.
        Poco::Net::ServerSocket alone;
        alone.bind(address, true, false);
        address = alone.address();
        alone.close();
        for (unsigned i = 0; i < sockets; ++i) {
            Poco::Net::ServerSocket socket;
            socket.bind(address, true, true);
            socket.listen(backlog);
            listener.sockets.push_back(socket);
        }
        listener.url = std::string(scheme) + address.toString();
    } catch (const Poco::Exception& error) {
        throw std::runtime_error("cannot listen on " + text + ": " + error.displayText() + "; " +
                                 remedy(error.code(), "[server] " + std::string(key)));
    }
    return listener;
}

} // namespace

Result<Poco::Net::Context::Ptr, std::string> server_context(const config::Server& server) {
    if (!server.tls) return Poco::Net::Context::Ptr();
    return runtime::server_context({server.tls->certificate.string(), server.tls->key.string()});
}

Listener listen_on(const config::Server& server) {
    const auto loops = server.loops ? server.loops : std::max(1u, std::thread::hardware_concurrency());
    return listen_on("listen", server.listen, server.tls ? "https://" : "http://", loops);
}

Listener listen_for_admin(const config::Server& server) {
    return listen_on("admin_listen", server.admin_listen, "http://", 1);
}

Listener listen_for_metrics(const config::Server& server) {
    return listen_on("metrics_listen", server.metrics_listen, "http://", 1);
}

} // namespace wm::app
