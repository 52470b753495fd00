#pragma once
// Poco's socket implementation with TLS of our own on it: Poco's SecureStreamSocket throws, may block in its name
// check, and does not let its SSL object be set up. Contexts stay Poco's.
#include "runtime/transport.h"
#include <Poco/Net/Context.h>
#include <Poco/Net/StreamSocket.h>
#include <Poco/Net/StreamSocketImpl.h>
#include <memory>
#include <openssl/ssl.h>
#include <string>

namespace wm::runtime {

struct FreeSsl {
    void operator()(SSL* s) const { SSL_free(s); }
};

// [one thread] Owned by the Poco sockets that refer to it.
class TlsSocket final : public Poco::Net::StreamSocketImpl {
  public:
    TlsSocket(Poco::Net::StreamSocket socket, Poco::Net::Context::Ptr context, std::unique_ptr<SSL, FreeSsl> ssl);
    ~TlsSocket() override;
    bool secure() const override { return true; }

    Step handshake();
    Step receive(std::span<char> into); // as much as there is at hand
    Step send(std::string_view data);
    void say_goodbye(); // close_notify, if that does not block
    bool has_input() const { return SSL_has_pending(ssl_.get()) != 0; }
    const std::string& failure() const { return failure_; } // of the step that failed

  private:
    Step result(int returned);
    void explain(int error, int system_error);

    const Poco::Net::StreamSocket socket_; // owns the descriptor
    const Poco::Net::Context::Ptr context_;
    const std::unique_ptr<SSL, FreeSsl> ssl_;
    std::string failure_;
    bool usable_ = true; // after a fatal error OpenSSL forbids a shutdown
};

} // namespace wm::runtime
