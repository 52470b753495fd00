#pragma once
// Secrets as the configuration writes them. No complaint made here holds any part of the secret.
#include "base/secret.h"
#include "config/value.h"

#include <filesystem>

namespace wm::config {

// Where a secret's text stands.
struct SecretSource {
    const std::filesystem::path& folder; // of the configuration; file: paths are relative to it
    bool readable_by_others = false;     // the configuration file, and so every literal in it
};

// env:NAME, file:PATH, public:VALUE (a key that is no secret), or the secret itself.
Value<Secret> parse_secret(std::string_view text, const SecretSource& source);

} // namespace wm::config
