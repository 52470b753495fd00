#include "app/listener.h"

#include <Poco/Net/SocketAddress.h>

#include <stdexcept>

namespace wm::app {

namespace {

constexpr int backlog = 4096;

} // namespace

Listener listen_on(const std::string& text, const std::optional<runtime::ServerTls>& tls, unsigned loops) {
    Listener listener;
    if (tls) {
        auto context = runtime::server_context(*tls);
        if (!context) throw std::runtime_error(context.error());
        listener.tls = *context;
    }
    try {
        Poco::Net::SocketAddress address(text);
        // Sockets that share a port would also share it, silently, with another process: the first asks for it alone.
        Poco::Net::ServerSocket alone;
        alone.bind(address, true, false);
        address = alone.address();
        alone.close();
        for (unsigned i = 0; i < loops; ++i) {
            Poco::Net::ServerSocket socket;
            socket.bind(address, true, true);
            socket.listen(backlog);
            listener.sockets.push_back(socket);
        }
        listener.url = (tls ? "https://" : "http://") + address.toString();
    } catch (const Poco::Exception& error) {
        throw std::runtime_error("cannot listen on " + text + ": " + error.displayText() +
                                 "; is another program using the address? Set [server] listen to a free one");
    }
    return listener;
}

} // namespace wm::app
