#pragma once
// Certificates and keys in PEM files, looked at before anything is served with them. Nothing of a key is kept or shown.
#include "config/value.h"

#include <filesystem>
#include <optional>

namespace wm::config {

// Nothing: the file begins with a certificate; a bundle of authorities or a chain may follow.
std::optional<Complaint> judge_certificates(const std::filesystem::path& file);

// Nothing: the file holds a private key, without a passphrase, and it is that of the first certificate of
// `certificate`.
std::optional<Complaint> judge_key(const std::filesystem::path& file, const std::filesystem::path& certificate);

} // namespace wm::config
