#include "runtime/tls_socket.h"
#include <algorithm>
#include <cerrno>
#include <limits>
#include <openssl/err.h>
#include <openssl/x509_vfy.h>
#include <system_error>

namespace wm::runtime {

namespace {
int length(std::size_t n) { return int(std::min<std::size_t>(n, std::numeric_limits<int>::max())); }
} // namespace

TlsSocket::TlsSocket(Poco::Net::StreamSocket socket, Poco::Net::Context::Ptr context, std::unique_ptr<SSL, FreeSsl> ssl)
    : StreamSocketImpl(socket.impl()->sockfd()), socket_(std::move(socket)), context_(std::move(context)),
      ssl_(std::move(ssl)) {
    SSL_set_fd(ssl_.get(), sockfd());
}

TlsSocket::~TlsSocket() { reset(); } // the base would close socket_'s descriptor a second time

Step TlsSocket::handshake() {
    ERR_clear_error();
    errno = 0;
    return result(SSL_do_handshake(ssl_.get()));
}

Step TlsSocket::receive(std::span<char> into) {
    std::size_t total = 0;
    do { // what OpenSSL has read already raises no event
        ERR_clear_error();
        errno = 0;
        const int n = SSL_read(ssl_.get(), into.data() + total, length(into.size() - total));
        if (n <= 0) {
            if (total == 0) return result(n);
            break; // will come again
        }
        total += std::size_t(n);
    } while (total < into.size() && SSL_pending(ssl_.get()) > 0);
    return {Step::Result::done, total};
}

Step TlsSocket::send(std::string_view data) {
    ERR_clear_error();
    errno = 0;
    return result(SSL_write(ssl_.get(), data.data(), length(data.size())));
}

void TlsSocket::say_goodbye() {
    if (!usable_ || !SSL_is_init_finished(ssl_.get())) return;
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
    ERR_clear_error();
}

Step TlsSocket::result(int returned) {
    using R = Step::Result;
    if (returned > 0) return {R::done, std::size_t(returned)};
    const int system_error = errno;
    const int error = SSL_get_error(ssl_.get(), returned);
    switch (error) {
    case SSL_ERROR_WANT_READ: return {R::want_read};
    case SSL_ERROR_WANT_WRITE: return {R::want_write};
    case SSL_ERROR_ZERO_RETURN: return {R::closed};
    default: break;
    }
    usable_ = false;
    explain(error, system_error);
    return {R::failed};
}

void TlsSocket::explain(int error, int system_error) {
    const auto code = ERR_peek_error(), last = ERR_peek_last_error(); // the cause; what came of it
    ERR_clear_error();
    const auto verified = SSL_get_verify_result(ssl_.get());
    if (last != 0 && ERR_GET_REASON(last) == SSL_R_CERTIFICATE_VERIFY_FAILED && verified != X509_V_OK)
        failure_ = std::string("certificate verify failed: ") + X509_verify_cert_error_string(verified);
    else if (code != 0 && ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING)
        failure_ = "the connection ended without TLS's goodbye";
    else if (const auto* reason = code ? ERR_reason_error_string(code) : nullptr)
        failure_ = std::string("TLS: ") + reason;
    else if (error == SSL_ERROR_SYSCALL && system_error != 0)
        failure_ = std::generic_category().message(system_error);
    else
        failure_ = "TLS failed";
}

} // namespace wm::runtime
