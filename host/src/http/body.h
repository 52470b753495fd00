#pragma once
// Takes the payload of a message body out of its framing, as the bytes come.
#include "http/head.h"
#include "runtime/buffer.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace wm::http {

enum class Step : unsigned char {
    more, // everything given was used; the body goes on
    done, // the body has ended; what was not used belongs to the next message
    bad,  // the framing is broken; the connection cannot be used any more
};

enum class BodyPiece : unsigned char { more, end, truncated, bad, timed_out, failed, cancelled };

// Trailers are read and bounded, and dropped unless they are asked for.
class BodyDecoder {
  public:
    BodyDecoder() = default; // no body
    BodyDecoder(Framing framing, std::uint64_t length, const Limits& limits = {});
    explicit BodyDecoder(const Head& head, const Limits& limits = {})
        : BodyDecoder(head.framing(), head.content_length(), limits) {}

    // One step over `in`: sets how many of its bytes were used, and the payload among them (often empty). Returns
    // `more` also when it stopped at the end of a payload piece: call again until nothing is used.
    Step step(std::string_view in, std::size_t& used, std::string_view& payload);

    // Uses all that is in the buffer, up to `most` bytes of payload.
    template <class Sink>
    Step feed(runtime::Buffer& in, Sink&& sink, std::size_t most = SIZE_MAX) {
        while (!done() && most > 0) {
            std::size_t used = 0;
            std::string_view payload;
            const auto state = step(in.view().substr(0, most), used, payload);
            if (!payload.empty()) {
                sink(payload);
                most -= payload.size();
            }
            in.consume(used);
            if (state != Step::more || used == 0) return state;
        }
        return done() ? Step::done : Step::more;
    }
    Step feed(runtime::Buffer& in, std::string& out) {
        return feed(in, [&](std::string_view payload) { out.append(payload); });
    }

    // The trailer section, as it came and without its empty line, is appended to `out`, which outlives the decoding.
    void keep_trailers(std::string& out) { trailers_ = &out; }

    Step at_end_of_stream() { // the peer will send nothing more
        if (phase_ == Phase::until_close) phase_ = Phase::done;
        return done() ? Step::done : Step::bad;
    }
    bool done() const { return phase_ == Phase::done; }
    // Payload bytes that are known to be still to come: all of them for a length, those of the chunk for chunks.
    // A chunk's size counts when its last digit is known to be that.
    std::uint64_t left() const { return phase_ == Phase::size ? 0 : left_; }

  private:
    // clang-format off
    enum class Phase : unsigned char {
        done, length, until_close, broken,
        size, extension, quoted, quoted_pair, size_lf, data, data_cr, data_lf,        // chunks
        trailer, trailer_name, trailer_value, trailer_lf, end_lf, // after the last one
    };
    // clang-format on
    Step framing_byte(char c);
    Step fail() { return phase_ = Phase::broken, Step::bad; }
    Step go(Phase next) { return phase_ = next, Step::more; }

    std::string* trailers_ = nullptr;
    std::uint64_t left_ = 0;
    std::size_t max_line_ = 0, max_trailers_ = 0;
    std::size_t line_ = 0;     // bytes of the chunk line so far
    std::size_t overhead_ = 0; // bytes of extensions not yet outweighed by payload, then bytes of trailers
    Phase phase_ = Phase::done;
};

} // namespace wm::http
