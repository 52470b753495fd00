#include "runtime/tls.h"
#include "runtime/ip_literal.h"
#include "runtime/tls_sessions.h"
#include "runtime/tls_socket.h"
#include <Poco/Exception.h>
#include <new>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <optional>
#include <system_error>

namespace wm::runtime {

using Poco::Net::Context;
using Poco::Net::StreamSocket;

namespace {

std::string first_error() { // the cause; later ones say where it was met
    const auto code = ERR_peek_error();
    ERR_clear_error();
    if (ERR_SYSTEM_ERROR(code)) return std::generic_category().message(ERR_GET_REASON(code));
    const auto* reason = ERR_reason_error_string(code);
    return reason ? reason : "cannot be read";
}

Context::Ptr bare_context(Context::Usage usage) {
    Context::Params params;
    params.verificationMode = Context::VERIFY_NONE; // decided below, without Poco's callback
    params.cipherList = "HIGH:!aNULL:!eNULL:!MD5:!RC4:!3DES";
    Context::Ptr context = new Context(usage, params);
    auto* ctx = context->sslContext();
    SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION);
    SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    // Partial and moving writes fit a stream that goes on where it stopped; idle connections hold no buffers.
    SSL_CTX_set_mode(ctx,
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    ERR_clear_error();
    return context;
}

// The certificate and key that this side shows; nothing: they are in place.
std::optional<std::string> show(SSL_CTX* ctx, const std::string& certificate_file, const std::string& key_file) {
    if (SSL_CTX_use_certificate_chain_file(ctx, certificate_file.c_str()) != 1)
        return "certificate file " + certificate_file + ": " + first_error();
    if (SSL_CTX_use_PrivateKey_file(ctx, key_file.c_str(), SSL_FILETYPE_PEM) == 1) return std::nullopt;
    if (ERR_GET_REASON(ERR_peek_error()) != X509_R_KEY_VALUES_MISMATCH)
        return "key file " + key_file + ": " + first_error();
    ERR_clear_error();
    return "key file " + key_file + " does not belong to certificate file " + certificate_file;
}

StreamSocket wrap(StreamSocket socket, Context::Ptr context, std::unique_ptr<SSL, FreeSsl> ssl) {
    struct Socket : StreamSocket { // the constructor that takes an implementation is protected
        explicit Socket(TlsSocket* impl) : StreamSocket(impl) {}
    };
    return Socket(new TlsSocket(std::move(socket), std::move(context), std::move(ssl)));
}

std::unique_ptr<SSL, FreeSsl> new_ssl(const Context::Ptr& context) {
    std::unique_ptr<SSL, FreeSsl> ssl(SSL_new(context->sslContext()));
    if (!ssl) throw std::bad_alloc();
    return ssl;
}

} // namespace

Result<Context::Ptr, std::string> server_context(const ServerTls& settings) {
    try {
        auto context = bare_context(Context::TLS_SERVER_USE);
        auto* ctx = context->sslContext();
        if (auto failure = show(ctx, settings.certificate_file, settings.key_file)) return Failure{std::move(*failure)};
        static constexpr unsigned char id[] = "watermaster";
        SSL_CTX_set_session_id_context(ctx, id, sizeof id - 1);
        return context;
    } catch (const Poco::Exception& e) {
        return Failure{"TLS cannot be set up: " + e.displayText()};
    }
}

Result<Context::Ptr, std::string> client_context(const ClientTls& settings) {
    try {
        auto context = bare_context(Context::TLS_CLIENT_USE);
        auto* ctx = context->sslContext();
        if (settings.verify) {
            if (settings.ca_file.empty()) {
                if (SSL_CTX_set_default_verify_paths(ctx) != 1)
                    return Failure{"the system's certificate authorities: " + first_error()};
            } else if (SSL_CTX_load_verify_locations(ctx, settings.ca_file.c_str(), nullptr) != 1) {
                return Failure{"CA file " + settings.ca_file + ": " + first_error()};
            }
        }
        if (!settings.certificate_file.empty())
            if (auto failure = show(ctx, settings.certificate_file, settings.key_file))
                return Failure{std::move(*failure)};
        SSL_CTX_set_verify(ctx, settings.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
        remember_sessions(ctx);
        return context;
    } catch (const Poco::Exception& e) {
        return Failure{"TLS cannot be set up: " + e.displayText()};
    }
}

StreamSocket secure_server(StreamSocket socket, Context::Ptr context) {
    auto ssl = new_ssl(context);
    SSL_set_accept_state(ssl.get());
    return wrap(std::move(socket), std::move(context), std::move(ssl));
}

Result<StreamSocket, std::string> secure_client(StreamSocket socket, Context::Ptr context, const std::string& host) {
    auto ssl = new_ssl(context);
    SSL_set_connect_state(ssl.get());
    // OpenSSL checks the chain alone where it was given no name: a name that it does not take ends it here.
    bool named;
    if (ip_literal(host)) {
        named = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl.get()), host.c_str()) == 1;
    } else {
        SSL_set_hostflags(ssl.get(), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        named = !host.empty() && SSL_set_tlsext_host_name(ssl.get(), host.c_str()) == 1 &&
                SSL_set1_host(ssl.get(), host.c_str()) == 1;
    }
    if (!named) {
        ERR_clear_error();
        return Failure{std::string("a certificate cannot be checked for such a host")};
    }
    resume_session(ssl.get(), host);
    return wrap(std::move(socket), std::move(context), std::move(ssl));
}

} // namespace wm::runtime
