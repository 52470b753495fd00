#include "config/key_digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <stdexcept>

namespace wm::config {

KeyDigest digest_of_key(std::string_view key) {
    KeyDigest digest;
    if (EVP_Digest(key.data(), key.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("OpenSSL offers no SHA-256");
    return digest;
}

bool same(const KeyDigest& a, const KeyDigest& b) { return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0; }

} // namespace wm::config
