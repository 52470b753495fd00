#pragma once
// Writes messages of Amazon's event stream.
#include <cstdint>
#include <string>
#include <string_view>
#include <zlib.h>

namespace wm::testing {

inline std::string big_endian(std::uint64_t value, int bytes) {
    std::string out;
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out += char(value >> shift);
    return out;
}

inline std::string with_crc(std::string bytes) {
    return bytes + big_endian(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()), 4);
}

inline std::string text_header(std::string_view name, std::string_view value) {
    std::string out = big_endian(name.size(), 1);
    out.append(name).append("\x07").append(big_endian(value.size(), 2)).append(value);
    return out;
}

inline std::string eventstream_message(std::string_view headers, std::string_view payload) {
    const auto prelude = big_endian(16 + headers.size() + payload.size(), 4) + big_endian(headers.size(), 4);
    return with_crc(with_crc(prelude) + std::string(headers) + std::string(payload));
}

} // namespace wm::testing
