#include "framing/aws_eventstream.h"

#include <optional>
#include <zlib.h>

namespace wm::framing {

namespace {

constexpr std::size_t crc_bytes = 4, prelude_bytes = 12;
constexpr std::size_t least = prelude_bytes + crc_bytes; // of a message
constexpr std::uint32_t max_headers = 128u << 10;

std::uint32_t number(std::string_view bytes) { // big-endian
    std::uint32_t out = 0;
    for (const char c : bytes) out = out << 8 | static_cast<unsigned char>(c);
    return out;
}

// Do the last four bytes check those before them?
bool intact(std::string_view bytes) {
    const auto checked = bytes.size() - crc_bytes;
    const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), checked);
    return crc == number(bytes.substr(checked));
}

class Headers {
  public:
    explicit Headers(std::string_view bytes) : left_(bytes) {}

    bool more() const { return !left_.empty() && !broken_; }
    bool broken() const { return broken_; }
    std::string_view take(std::size_t count) {
        broken_ = broken_ || count > left_.size();
        if (broken_) return {};
        const auto out = left_.substr(0, count);
        left_.remove_prefix(count);
        return out;
    }
    std::string_view take_sized(std::size_t length_bytes) { return take(number(take(length_bytes))); }
    // Nothing: it is not a text.
    std::optional<std::string_view> take_value() {
        const auto type = take(1);
        constexpr std::size_t sizes[]{0, 0, 1, 2, 4, 8}; // true, false, byte, short, integer, long
        enum : unsigned char { bytes = 6, string = 7, timestamp = 8, uuid = 9 };
        const auto kind = type.empty() ? 0xffu : static_cast<unsigned char>(type[0]);
        switch (kind) {
        case bytes: take_sized(2); return std::nullopt;
        case string: return take_sized(2);
        case timestamp: take(8); return std::nullopt;
        case uuid: take(16); return std::nullopt;
        default: break;
        }
        if (kind < std::size(sizes))
            take(sizes[kind]);
        else
            broken_ = true;
        return std::nullopt;
    }

  private:
    std::string_view left_;
    bool broken_ = false;
};

} // namespace

bool AwsEventstreamFramer::next(Frame& frame) {
    if (!problem_.empty() || (total_ == 0 && !read_prelude()) || pending_.size() < total_) return false;
    const auto message = pending_.use(total_);
    total_ = 0;
    return read_message(message, frame);
}

bool AwsEventstreamFramer::read_prelude() {
    if (pending_.size() < prelude_bytes) return false;
    const auto prelude = pending_.view().substr(0, prelude_bytes);
    if (!intact(prelude)) {
        problem_ = "the prelude of a message does not match its CRC";
        return false;
    }
    total_ = number(prelude.substr(0, 4));
    headers_ = number(prelude.substr(4, 4));
    if (total_ < least || headers_ > total_ - least || headers_ > max_headers)
        problem_ = "the lengths of a message do not fit together";
    else if (total_ > max_frame_)
        problem_ = "a message above the bound of a frame";
    return problem_.empty();
}

bool AwsEventstreamFramer::read_message(std::string_view message, Frame& frame) {
    frame = {};
    if (!intact(message))
        problem_ = "a message does not match its CRC";
    else if (!read_headers(message.substr(prelude_bytes, headers_), frame))
        problem_ = "a message's headers do not fit into their length";
    if (!problem_.empty()) return false;
    const auto payload = message.substr(prelude_bytes + headers_, message.size() - least - headers_);
    if (!payload.empty()) frame.data = payload;
    return true;
}

bool AwsEventstreamFramer::read_headers(std::string_view headers, Frame& frame) {
    for (Headers in(headers); in.more();) {
        const auto name = in.take_sized(1);
        const auto text = in.take_value();
        if (in.broken() || name.empty()) return false;
        if (!text) continue;
        if (name == ":event-type" || name == ":exception-type" || name == ":error-code") frame.name = *text;
        if (name == ":error-message") frame.data = *text;
    }
    return true;
}

bool AwsEventstreamFramer::finish(Frame&) {
    if (problem_.empty() && pending_.size() > 0) problem_ = "the stream ended inside a message";
    return false;
}

} // namespace wm::framing
