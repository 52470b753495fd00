#include "runtime/tls_sessions.h"
#include <memory>
#include <mutex>
#include <unordered_map>

namespace wm::runtime {

namespace {

struct FreeSession {
    void operator()(SSL_SESSION* s) const { SSL_SESSION_free(s); }
};

struct Sessions { // belongs to its SSL_CTX
    static constexpr std::size_t max_hosts = 1024;
    std::mutex mutex;
    std::unordered_map<std::string, std::unique_ptr<SSL_SESSION, FreeSession>> by_host;
};

template <class T>
void destroy(void*, void* object, CRYPTO_EX_DATA*, int, long, void*) {
    delete static_cast<T*>(object);
}

int sessions_index() {
    static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, destroy<Sessions>);
    return index;
}

int host_index() {
    static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, destroy<std::string>);
    return index;
}

Sessions* sessions_of(SSL* ssl) {
    return static_cast<Sessions*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), sessions_index()));
}

int keep(SSL* ssl, SSL_SESSION* session) { // 1: ours from now on
    const auto* host = static_cast<const std::string*>(SSL_get_ex_data(ssl, host_index()));
    auto* sessions = sessions_of(ssl);
    if (!host || !sessions) return 0;
    const std::lock_guard lock(sessions->mutex);
    if (sessions->by_host.size() >= Sessions::max_hosts && !sessions->by_host.contains(*host)) return 0;
    sessions->by_host[*host].reset(session);
    return 1;
}

} // namespace

void remember_sessions(SSL_CTX* context) {
    SSL_CTX_set_ex_data(context, sessions_index(), new Sessions);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, keep);
}

void resume_session(SSL* ssl, const std::string& host) {
    SSL_set_ex_data(ssl, host_index(), new std::string(host));
    auto* sessions = sessions_of(ssl);
    if (!sessions) return;
    const std::lock_guard lock(sessions->mutex);
    if (const auto at = sessions->by_host.find(host); at != sessions->by_host.end())
        SSL_set_session(ssl, at->second.get());
}

} // namespace wm::runtime
