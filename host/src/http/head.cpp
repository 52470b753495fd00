#include "http/head.h"

#include "base/characters.h"

#include <cstring>

namespace wm::http {

namespace {

constexpr Refusal too_large{431, "the request head is too large"};
constexpr Refusal too_many{431, "the request head has too many fields"};
constexpr Refusal too_long{414, "the request target is too long"};
constexpr std::size_t beside_target = 64; // what else a request line may hold: method, spaces, version

} // namespace

std::string_view Head::own(std::string_view block) {
    // Never in the string's inline storage: views must survive a move.
    block_.reserve(256);
    block_.assign(block);
    fields_.clear();
    fields_.reserve(16);
    content_length_ = 0;
    minor_version_ = 1;
    framing_ = Framing::none;
    keep_alive_ = true;
    return block_;
}

std::optional<Refusal> Head::parse_version(std::string_view text) {
    if (text.size() != 8 || !text.starts_with("HTTP/") || !is(text[5], digit_char) || text[6] != '.' ||
        !is(text[7], digit_char))
        return Refusal{400, "the HTTP version is malformed"};
    if (text[5] != '1') return Refusal{505, "only HTTP/1.1 and HTTP/1.0 are spoken here"};
    minor_version_ = text[7] == '0' ? 0 : 1;
    return std::nullopt;
}

std::optional<Refusal> Head::parse_fields(std::string_view lines, const Limits& limits, Known& known) {
    for (;;) {
        const auto lf = lines.find('\n');
        if (lf == lines.npos || lf == 0 || lines[lf - 1] != '\r') return Refusal{400, "a line does not end in CR LF"};
        const auto line = lines.substr(0, lf - 1);
        lines.remove_prefix(lf + 1);
        if (line.empty()) break;

        std::size_t colon = 0;
        while (colon < line.size() && is(line[colon], token_char)) ++colon;
        if (colon == line.size()) return Refusal{400, "a field has no colon"};
        if (line[colon] != ':') {
            if (line[colon] != ' ' && line[colon] != '\t')
                return Refusal{400, "a field name has a forbidden character"};
            return colon == 0 ? Refusal{400, "a field is folded over two lines"}
                              : Refusal{400, "a field name is followed by a space"};
        }
        if (colon == 0) return Refusal{400, "a field has no name"};
        const PairView field{line.substr(0, colon), trim(line.substr(colon + 1))};
        if (has_control(field.value)) return Refusal{400, "a field value has a control character"};
        if (fields_.size() == limits.max_fields) return too_many;
        fields_.push_back(field);
        note(field, known);
    }
    if (known.bad_connection) return Refusal{400, "Connection is malformed"};
    if (!lines.empty()) return Refusal{400, "bytes follow the head's empty line"};
    keep_alive_ = !known.close && (minor_version_ > 0 || known.stay);
    return std::nullopt;
}

void Head::note(PairView field, Known& known) {
    const auto& [name, value] = field;
    switch (name.size()) { // the few names that matter here all differ in length
    case 4:
        if (iequals(name, "Host")) ++known.hosts, known.host = value;
        break;
    case 6:
        if (iequals(name, "Expect"))
            (iequals(value, "100-continue") ? known.expects_continue : known.expects_other) = true;
        break;
    case 10:
        if (iequals(name, "Connection"))
            for_each_element(value, [&](std::string_view option) {
                known.close |= iequals(option, "close");
                known.stay |= iequals(option, "keep-alive");
                known.upgrade |= iequals(option, "upgrade");
                known.bad_connection |= !is_token(option);
            });
        break;
    case 14:
        if (iequals(name, "Content-Length")) ++known.lengths, known.length = value;
        break;
    case 17:
        if (iequals(name, "Transfer-Encoding")) ++known.codings, known.coding = value;
        break;
    }
}

std::optional<Refusal> Head::parse_framing(const Known& known) {
    if (known.codings > 0 && known.lengths > 0)
        return Refusal{400, "Content-Length and Transfer-Encoding exclude each other"};
    if (known.lengths > 1) return Refusal{400, "Content-Length is repeated"};
    if (known.codings > 1) return Refusal{400, "Transfer-Encoding is repeated"};
    if (known.codings > 0) {
        if (minor_version_ == 0) return Refusal{400, "HTTP/1.0 has no Transfer-Encoding"};
        if (!iequals(known.coding, "chunked")) return Refusal{501, "no Transfer-Encoding but chunked is understood"};
        framing_ = Framing::chunked;
    }
    if (known.lengths > 0) {
        const auto length = all(known.length, digit_char) ? parse_number<std::uint64_t>(known.length) : std::nullopt;
        if (!length || *length >> 63) return Refusal{400, "Content-Length is not a number"};
        content_length_ = *length;
        framing_ = Framing::length;
    }
    return std::nullopt;
}

HeadScanner::State HeadScanner::scan(std::string_view received, const Limits& limits) {
    const auto bad = [&](Refusal why) { return refusal_ = why, State::bad; };
    for (;;) {
        const auto lf = received.find('\n', seen_);
        const bool whole = lf != received.npos;
        const auto end = whole ? lf + 1 : received.size();
        if (lines_ == 0 && end > limits.max_target + beside_target) return bad(too_long);
        if (end > limits.max_head) return bad(too_large);
        seen_ = end;
        if (!whole) return State::more;
        if (lf == line_ || received[lf - 1] != '\r') return bad({400, "a line does not end in CR LF"});
        const bool blank = lf - 1 == line_;
        line_ = end;
        if (blank) return State::found;
        if (++lines_ > limits.max_fields + 1) return bad(too_many);
    }
}

} // namespace wm::http
