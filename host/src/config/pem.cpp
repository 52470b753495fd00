#include "config/pem.h"

#include <cerrno>
#include <memory>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <system_error>
#include <unistd.h>

namespace wm::config {
namespace {

template <auto free>
struct Freed {
    template <class T>
    void operator()(T* t) const {
        free(t);
    }
};
using Bio = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;

Bio open(const std::filesystem::path& file) { return Bio(BIO_new_file(file.c_str(), "r")); }

Certificate first_certificate(const std::filesystem::path& file) {
    const auto in = open(file);
    Certificate certificate(in ? PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr) : nullptr);
    ERR_clear_error();
    return certificate;
}

int no_passphrase(char*, int, int, void*) { return -1; } // else OpenSSL would ask the terminal

// Why nothing can be read from `file`, as the system says it.
std::optional<Complaint> unreadable(const std::filesystem::path& file) {
    const auto because = [](const std::string& why) { return Complaint{"cannot be read: " + why, "a PEM file"}; };
    if (::access(file.c_str(), R_OK) != 0) return because(std::generic_category().message(errno));
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return because("not a regular file");
    return std::nullopt;
}

} // namespace

std::optional<Complaint> judge_certificates(const std::filesystem::path& file) {
    if (auto complaint = unreadable(file)) return complaint;
    if (!first_certificate(file))
        return Complaint{"no certificate in this file", "a PEM file that begins with -----BEGIN CERTIFICATE-----"};
    return std::nullopt;
}

std::optional<Complaint> judge_key(const std::filesystem::path& file, const std::filesystem::path& certificate) {
    if (auto complaint = unreadable(file)) return complaint;
    const auto in = open(file);
    const Key key(!in ? nullptr : PEM_read_bio_PrivateKey(in.get(), nullptr, no_passphrase, nullptr));
    ERR_clear_error();
    if (!key)
        return Complaint{"no usable private key in this file", "a PEM file with a private key, without a passphrase"};
    const auto owner = first_certificate(certificate);
    const bool belongs =
        !owner || X509_check_private_key(owner.get(), key.get()) == 1; // a bad certificate is reported itself
    ERR_clear_error();
    if (!belongs) return Complaint{"not the key of the certificate", "the private key of " + certificate.string()};
    return std::nullopt;
}

} // namespace wm::config
