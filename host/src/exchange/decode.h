#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace wm::exchange {

enum class Decoded : unsigned char { ok, too_large, broken, unsupported };

// Undoes a request's Content-Encoding (gzip, x-gzip, deflate, identity), in place, never growing beyond `max_bytes`.
Decoded decode_body(std::string_view content_encoding, std::string& body, std::uint64_t max_bytes);

} // namespace wm::exchange
