#include "exchange/decode.h"

#include "base/text.h"

#include <array>
#include <new>
#include <zlib.h>

namespace wm::exchange {

namespace {

constexpr int zlib_window = MAX_WBITS, gzip_window = MAX_WBITS + 16; // as zlib tells its two formats apart

struct Inflater {
    explicit Inflater(int window) {
        if (inflateInit2(&z, window) != Z_OK) throw std::bad_alloc();
    }
    ~Inflater() { inflateEnd(&z); }
    Inflater(const Inflater&) = delete;

    z_stream z{};
};

// The whole body: one zlib stream, or gzip members one after another (RFC 1952, 2.2), and nothing behind them. What
// would be dropped silently here may be read by the next machine, which then sees another request.
Decoded inflate_all(int window, std::string& body, std::uint64_t max_bytes) {
    Inflater inflater(window);
    auto& z = inflater.z;
    z.next_in = reinterpret_cast<Bytef*>(body.data());
    z.avail_in = uInt(body.size());
    std::string out;
    std::array<char, 16 * 1024> piece;
    for (;;) {
        z.next_out = reinterpret_cast<Bytef*>(piece.data());
        z.avail_out = uInt(piece.size());
        const int result = inflate(&z, Z_NO_FLUSH);
        const auto made = piece.size() - z.avail_out;
        if (out.size() + made > max_bytes) return Decoded::too_large;
        out.append(piece.data(), made);
        if (result == Z_OK) continue;
        if (result != Z_STREAM_END) return Decoded::broken; // Z_BUF_ERROR: cut short
        if (z.avail_in == 0) break;
        if (window != gzip_window || inflateReset(&z) != Z_OK) return Decoded::broken;
    }
    body.swap(out);
    return Decoded::ok;
}

} // namespace

Decoded decode_body(std::string_view content_encoding, std::string& body, std::uint64_t max_bytes) {
    const auto coding = trim(content_encoding);
    if (coding.empty() || iequals(coding, "identity")) return Decoded::ok;
    if (iequals(coding, "gzip") || iequals(coding, "x-gzip")) return inflate_all(gzip_window, body, max_bytes);
    if (iequals(coding, "deflate")) return inflate_all(zlib_window, body, max_bytes);
    return Decoded::unsupported;
}

} // namespace wm::exchange
