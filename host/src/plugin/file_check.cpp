#include "plugin/file_check.h"

#include "base/text.h"
#include "plugin/refusal.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace wm::plugin {

namespace {

std::string octal(mode_t mode) {
    char text[8];
    std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777));
    return text;
}

std::optional<std::string> sha256_of(const std::filesystem::path& file) {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    std::ifstream in(file, std::ios::binary);
    if (!context || !in || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1) return std::nullopt;
    std::vector<char> block(64 << 10);
    while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0)
        EVP_DigestUpdate(context.get(), block.data(), static_cast<std::size_t>(in.gcount()));
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (in.bad() || EVP_DigestFinal_ex(context.get(), digest, &length) != 1) return std::nullopt;
    std::string out;
    for (unsigned i = 0; i < length; ++i) append_hex(out, digest[i]);
    return out;
}

} // namespace

std::optional<std::string> file_problem(const std::filesystem::path& file, const std::string& sha256) {
    struct stat info {};
    if (stat(file.c_str(), &info) != 0)
        return refusal(file.string(), "the library its manifest names", std::strerror(errno),
                       "install the library or correct the manifest's key `library`");
    if (!S_ISREG(info.st_mode))
        return refusal(file.string(), "a regular file", "something else",
                       "install the library or correct the manifest's key `library`");
    const uid_t self = geteuid();
    if (!trusted_owner(info.st_uid, self))
        return refusal(file.string(), "owner root or uid " + std::to_string(self), "uid " + std::to_string(info.st_uid),
                       "whoever owns it could run code as this process: chown it, if you trust it");
    if (!trusted_mode(info.st_mode))
        return refusal(file.string(), "a file that group and others cannot write", "mode " + octal(info.st_mode),
                       "chmod go-w it, if you trust it");
    if (sha256.empty()) return std::nullopt;
    const auto found = sha256_of(file);
    if (!found || *found != sha256)
        return refusal(file.string(), "SHA-256 " + sha256, found ? *found : "a file that cannot be read",
                       "install the library and the manifest of one package");
    return std::nullopt;
}

} // namespace wm::plugin
