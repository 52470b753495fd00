#pragma once
// TLS contexts and the sockets made with them. TLS 1.2 at least. OpenSSL itself checks the peer's name during the
// handshake: Poco's own check may look names up in the DNS, which would block the loop.
#include "base/result.h"
#include <Poco/Net/Context.h>
#include <Poco/Net/StreamSocket.h>
#include <compare>
#include <string>

namespace wm::runtime {

struct ServerTls {
    std::string certificate_file; // PEM: the certificate, then its chain
    std::string key_file;         // PEM, without a passphrase
};

struct ClientTls {
    std::string ca_file;                              // PEM; empty: the system's authorities
    bool verify = true;                               // chain and name
    std::string certificate_file = {}, key_file = {}; // as a server's; shown to one that asks. Empty: none

    auto operator<=>(const ClientTls&) const = default;
};

// [start-up] A context may be used by all threads. The failure says which file and what is wrong with it.
Result<Poco::Net::Context::Ptr, std::string> server_context(const ServerTls& settings);
Result<Poco::Net::Context::Ptr, std::string> client_context(const ClientTls& settings);

// Wraps a socket for a Stream, which then does the handshake. `host` is a name or an address, without port or
// brackets: sent as SNI if it is a name, and what the certificate must be for. Sessions are resumed by host, and never
// with another context than they were made with: who resumes is not asked who he is again. The failure: no certificate
// could be checked for `host`.
Poco::Net::StreamSocket secure_server(Poco::Net::StreamSocket socket, Poco::Net::Context::Ptr context);
Result<Poco::Net::StreamSocket, std::string> secure_client(Poco::Net::StreamSocket socket,
                                                           Poco::Net::Context::Ptr context, const std::string& host);

} // namespace wm::runtime
