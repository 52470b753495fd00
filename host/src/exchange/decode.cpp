#include "exchange/decode.h"

#include "base/text.h"

#include <Poco/Exception.h>
#include <Poco/InflatingStream.h>
#include <Poco/MemoryStream.h>

#include <array>

namespace wm::exchange {

namespace {

Decoded inflate(Poco::InflatingStreamBuf::StreamType type, std::string& body, std::uint64_t max_bytes) {
    Poco::MemoryInputStream in(body.data(), std::streamsize(body.size()));
    Poco::InflatingInputStream inflating(in, type);
    std::string out;
    std::array<char, 16 * 1024> piece;
    try {
        while (inflating.read(piece.data(), piece.size()), inflating.gcount() > 0) {
            if (out.size() + std::size_t(inflating.gcount()) > max_bytes) return Decoded::too_large;
            out.append(piece.data(), std::size_t(inflating.gcount()));
        }
        if (inflating.bad()) return Decoded::broken;
    } catch (const Poco::Exception&) {
        return Decoded::broken;
    }
    if (out.empty()) return Decoded::broken; // cut short before its first block, or nothing at all
    body.swap(out);
    return Decoded::ok;
}

} // namespace

Decoded decode_body(std::string_view content_encoding, std::string& body, std::uint64_t max_bytes) {
    const auto coding = trim(content_encoding);
    if (coding.empty() || iequals(coding, "identity")) return Decoded::ok;
    if (iequals(coding, "gzip") || iequals(coding, "x-gzip"))
        return inflate(Poco::InflatingStreamBuf::STREAM_GZIP, body, max_bytes);
    if (iequals(coding, "deflate")) return inflate(Poco::InflatingStreamBuf::STREAM_ZLIB, body, max_bytes);
    return Decoded::unsupported;
}

} // namespace wm::exchange
