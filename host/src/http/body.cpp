#include "http/body.h"

#include "base/characters.h"

#include <algorithm>

namespace wm::http {

BodyDecoder::BodyDecoder(Framing framing, std::uint64_t length, const Limits& limits)
    : left_(framing == Framing::length ? length : 0), max_line_(limits.max_chunk_line),
      max_trailers_(limits.max_trailers) {
    switch (framing) {
    case Framing::none: break;
    case Framing::length: phase_ = length > 0 ? Phase::length : Phase::done; break;
    case Framing::chunked: phase_ = Phase::size; break;
    case Framing::until_close: phase_ = Phase::until_close; break;
    }
}

Step BodyDecoder::step(std::string_view in, std::size_t& used, std::string_view& payload) {
    used = 0;
    payload = {};
    while (used < in.size()) {
        switch (phase_) {
        case Phase::done: return Step::done;
        case Phase::broken: return Step::bad;
        case Phase::until_close:
            payload = in.substr(used);
            used = in.size();
            return Step::more;
        case Phase::length:
        case Phase::data:
            payload = in.substr(used, std::min<std::uint64_t>(left_, in.size() - used));
            used += payload.size();
            left_ -= payload.size();
            overhead_ -= std::min(overhead_, payload.size());
            if (left_ > 0) return Step::more;
            if (phase_ == Phase::data) return go(Phase::data_cr);
            phase_ = Phase::done;
            return Step::done;
        default:
            if (const auto step = framing_byte(in[used++]); step != Step::more) return step;
        }
    }
    if (phase_ == Phase::broken) return Step::bad;
    return done() ? Step::done : Step::more;
}

// Line ends are CR LF exactly: where readers differ about a lone CR or LF, requests can be smuggled.
Step BodyDecoder::framing_byte(char c) {
    switch (phase_) {
    case Phase::size:
        if (const int digit = hex_value(c); digit >= 0) {
            if (left_ >> 59 || ++line_ > max_line_) return fail(); // 16 times as much would not fit, with room to spare
            left_ = left_ * 16 + unsigned(digit);
            return Step::more;
        }
        if (line_ == 0) return fail();
        if (c == '\r') return go(Phase::size_lf);
        return c == ';' ? go(Phase::extension) : fail();
    // Not read, but for where it ends: who reads a quoted value to its quote must not find another end of the line.
    case Phase::extension:
    case Phase::quoted:
    case Phase::quoted_pair:
        if (c == '\r' && phase_ == Phase::extension) return go(Phase::size_lf);
        if (is_control(c) || ++line_ > max_line_ || ++overhead_ > max_trailers_) return fail();
        if (phase_ == Phase::quoted_pair) return go(Phase::quoted);
        if (c == '"') return go(phase_ == Phase::quoted ? Phase::extension : Phase::quoted);
        return go(c == '\\' && phase_ == Phase::quoted ? Phase::quoted_pair : phase_);
    case Phase::size_lf:
        if (c != '\n') return fail();
        line_ = 0;
        if (left_ > 0) return go(Phase::data);
        overhead_ = 0;
        return go(Phase::trailer);
    case Phase::data_cr: return c == '\r' ? go(Phase::data_lf) : fail();
    case Phase::data_lf: return c == '\n' ? go(Phase::size) : fail();
    case Phase::end_lf:
        if (c != '\n') return fail();
        phase_ = Phase::done;
        return Step::done;
    default: break;
    }
    if (++overhead_ > max_trailers_) return fail();
    if (trailers_ && !(phase_ == Phase::trailer && c == '\r')) trailers_->push_back(c);
    switch (phase_) {
    case Phase::trailer:
        if (c == '\r') return go(Phase::end_lf);
        return is(c, token_char) ? go(Phase::trailer_name) : fail();
    case Phase::trailer_name:
        if (c == ':') return go(Phase::trailer_value);
        return is(c, token_char) ? Step::more : fail();
    case Phase::trailer_value:
        if (c == '\r') return go(Phase::trailer_lf);
        return is_control(c) ? fail() : Step::more;
    case Phase::trailer_lf: return c == '\n' ? go(Phase::trailer) : fail();
    default: return fail();
    }
}

} // namespace wm::http
