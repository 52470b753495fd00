#pragma once
// Keys that are given to us are kept and compared as SHA-256 alone.
#include <array>
#include <string_view>

namespace wm::config {

using KeyDigest = std::array<unsigned char, 32>;

// Throws std::runtime_error where OpenSSL offers no SHA-256.
KeyDigest digest_of_key(std::string_view key);

// In a time that tells nothing.
bool same(const KeyDigest& a, const KeyDigest& b);

} // namespace wm::config
