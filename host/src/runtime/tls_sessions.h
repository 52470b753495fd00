#pragma once
// Client sessions by host, so that reconnecting costs one round trip less and no certificate check.
#include <openssl/ssl.h>
#include <string>

namespace wm::runtime {

void remember_sessions(SSL_CTX* context);               // for all connections made with it from now on
void resume_session(SSL* ssl, const std::string& host); // before the handshake, and remembers what follows for host

} // namespace wm::runtime
