#include "certificates.h"
#include <atomic>
#include <cstdio>
#include <fstream>
#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdexcept>
#include <unistd.h>

namespace wm::runtime {

namespace {

template <auto F>
struct Free {
    template <class T>
    void operator()(T* t) const {
        F(t);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Cert = std::unique_ptr<X509, Free<X509_free>>;
using File = std::unique_ptr<FILE, Free<fclose>>;

void extend(X509* cert, X509* issuer, int nid, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, cert, nullptr, nullptr, 0);
    const std::unique_ptr<X509_EXTENSION, Free<X509_EXTENSION_free>> e(
        X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
    if (!e) throw std::runtime_error("certificate extension " + value);
    X509_add_ext(cert, e.get(), -1);
}

Cert make(EVP_PKEY* key, const std::string& name, long serial) {
    Cert cert(X509_new());
    X509_set_version(cert.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(cert.get()), serial);
    X509_gmtime_adj(X509_getm_notBefore(cert.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(cert.get()), 86400);
    X509_set_pubkey(cert.get(), key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(cert.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    return cert;
}

void save(const std::string& path, X509* cert, EVP_PKEY* key) {
    const File file(std::fopen(path.c_str(), "w"));
    if (!file) throw std::runtime_error("cannot write " + path);
    if (cert) PEM_write_X509(file.get(), cert);
    if (key) PEM_write_PrivateKey(file.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
}

} // namespace

Certificates::Certificates() {
    std::string pattern = std::filesystem::temp_directory_path() / "wm-certificates-XXXXXX";
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("cannot make " + pattern);
    folder_ = pattern;
    ca_ = {folder_ / "ca.pem", folder_ / "ca.key"};
    const Key key(EVP_EC_gen("P-256"));
    const auto cert = make(key.get(), "Test authority", 1);
    X509_set_issuer_name(cert.get(), X509_get_subject_name(cert.get()));
    extend(cert.get(), cert.get(), NID_basic_constraints, "critical,CA:TRUE");
    X509_sign(cert.get(), key.get(), EVP_sha256());
    save(ca_.certificate, cert.get(), nullptr);
    save(ca_.key, nullptr, key.get());
}

Certificates::~Certificates() { std::filesystem::remove_all(folder_); }

Certificates::Files Certificates::issue(const std::string& alt_names) const {
    static std::atomic<long> serial = 2;
    const auto number = serial++;
    const auto base = (folder_ / std::to_string(number)).string();
    const Files files{base + ".pem", base + ".key"};
    const File ca_cert(std::fopen(ca_.certificate.c_str(), "r")), ca_key(std::fopen(ca_.key.c_str(), "r"));
    const Cert issuer(PEM_read_X509(ca_cert.get(), nullptr, nullptr, nullptr));
    const Key signer(PEM_read_PrivateKey(ca_key.get(), nullptr, nullptr, nullptr));
    const Key key(EVP_EC_gen("P-256"));
    const auto cert = make(key.get(), "not looked at", number);
    X509_set_issuer_name(cert.get(), X509_get_subject_name(issuer.get()));
    extend(cert.get(), issuer.get(), NID_subject_alt_name, alt_names);
    X509_sign(cert.get(), signer.get(), EVP_sha256());
    save(files.certificate, cert.get(), nullptr);
    save(files.key, nullptr, key.get());
    return files;
}

std::string Certificates::write(const std::string& name, const std::string& text) const {
    const auto path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
}

} // namespace wm::runtime
