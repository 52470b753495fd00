// The answering half of ServerConnection.
#include "base/characters.h"
#include "http/chunks.h"
#include "http/http_date.h"
#include "http/server_connection.h"

#include <charconv>
#include <utility>

namespace wm::http {

namespace {

constexpr std::size_t copy_below = 64 * 1024; // a copy of so much is cheaper than a second system call

bool ours(std::string_view name) {
    switch (name.size()) {
    case 10: return iequals(name, "Connection");
    case 14: return iequals(name, "Content-Length");
    case 17: return iequals(name, "Transfer-Encoding");
    default: return false;
    }
}

void append_number(std::string& out, std::uint64_t n) {
    char digits[24];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
}

bool has_no_body(int status) { return status < 200 || status == 204 || status == 304; }

} // namespace

void ServerConnection::write_interim(int status, std::span<const PairView> fields) {
    out_.append("HTTP/1.1 ");
    append_number(out_, std::uint64_t(status));
    out_.append(" ").append(reason_phrase(status)).append("\r\n");
    for (const auto& [name, value] : fields)
        if (!ours(name) && is_token(name) && is_field_value(value))
            out_.append(name).append(": ").append(value).append("\r\n");
}

Task<Io> ServerConnection::interim(int status, std::span<const PairView> fields) {
    if (state_ != State::idle) co_return Io::failed;
    if (http10_) co_return Io::ok;
    if (status == 100) continue_due_ = false;
    write_interim(status, fields);
    out_.append("\r\n");
    co_return co_await write_out();
}

Task<Io> ServerConnection::switch_protocols(std::span<const PairView> fields) {
    if (state_ != State::idle) co_return Io::failed;
    status_ = 101;
    write_interim(status_, fields);
    out_.append("Connection: Upgrade\r\n\r\n");
    body_ = BodyDecoder(Framing::until_close, 0, limits_.head);
    coding_ = Coding::until_close;
    state_ = State::streaming;
    close_ = true;
    co_return co_await write_out();
}

void ServerConnection::write_head(int status, std::span<const PairView> fields, std::optional<std::uint64_t> length,
                                  bool chunked) {
    status_ = status;
    out_.append("HTTP/1.1 ");
    append_number(out_, std::uint64_t(status));
    out_.append(" ").append(reason_phrase(status)).append("\r\n");
    bool dated = false, upgrade = false;
    for (const auto& [name, value] : fields) {
        if (ours(name) || !is_token(name) || !is_field_value(value)) continue;
        dated |= iequals(name, "Date");
        upgrade |= iequals(name, "Upgrade");
        out_.append(name).append(": ").append(value).append("\r\n");
    }
    if (!dated) out_.append("Date: ").append(http_date(clock_.wall_ms())).append("\r\n");
    if (length) {
        out_.append("Content-Length: ");
        append_number(out_, *length);
        out_.append("\r\n");
    }
    if (chunked) out_.append("Transfer-Encoding: chunked\r\n");
    if (upgrade) out_.append("Connection: Upgrade\r\n"); // the field is this hop's, and has to say so
    if (will_close())
        close_ = true, out_.append("Connection: close\r\n");
    else if (http10_)
        out_.append("Connection: keep-alive\r\n");
    out_.append("\r\n");
}

Task<Io> ServerConnection::respond(int status, std::span<const PairView> fields, std::string_view body) {
    if (state_ != State::idle) co_return Io::failed;
    const bool bodiless = has_no_body(status);
    write_head(status, fields, bodiless ? std::nullopt : std::optional<std::uint64_t>(body.size()), false);
    if (bodiless || to_head_) body = {};
    body_sent_ = body.size();
    state_ = State::finishing;
    const auto io = co_await write_out(body);
    if (io == Io::ok) state_ = State::finished;
    co_return io;
}

bool ServerConnection::begin(int status, std::span<const PairView> fields,
                             std::optional<std::uint64_t> content_length) {
    if (state_ != State::idle) return false;
    if (has_no_body(status))
        content_length = status == 304 ? content_length : std::nullopt;
    else if (!to_head_)
        coding_ = content_length ? Coding::length : http10_ ? Coding::until_close : Coding::chunked;
    if (coding_ == Coding::until_close) close_ = true;
    left_to_send_ = content_length.value_or(0);
    write_head(status, fields, content_length, coding_ == Coding::chunked);
    state_ = State::streaming;
    return true;
}

// False: more than was promised.
bool ServerConnection::append_piece(std::string& out, std::string_view bytes) {
    if (bytes.empty()) return true;
    switch (coding_) {
    case Coding::none: return true; // HEAD, 204, 304
    case Coding::length:
        if (bytes.size() > left_to_send_) return false;
        left_to_send_ -= bytes.size();
        out.append(bytes);
        break;
    case Coding::until_close: out.append(bytes); break;
    case Coding::chunked: append_chunk(out, bytes); break;
    }
    body_sent_ += bytes.size();
    return true;
}

Task<Io> ServerConnection::write_out(std::string_view rest) {
    if (rest.size() < copy_below) {
        out_.append(rest);
        rest = {};
    }
    auto io = Io::ok;
    writing_ = true;
    if (!out_.empty()) io = co_await stream_.write(out_, limits_.write_timeout, write_by_);
    if (io == Io::ok && !rest.empty()) io = co_await stream_.write(rest, limits_.write_timeout, write_by_);
    writing_ = false;
    std::string().swap(out_); // most connections wait for what comes next, and hold no memory meanwhile
    if (io != Io::ok) abandon();
    co_return io;
}

Task<Io> ServerConnection::flush() { return send({}); }

Task<Io> ServerConnection::send(std::string_view bytes) {
    if (state_ != State::streaming) co_return Io::failed;
    if (!append_piece(out_, bytes)) {
        abandon();
        co_return Io::failed;
    }
    co_return co_await write_out();
}

Task<Io> ServerConnection::finish(std::string_view last, std::span<const PairView> trailers) {
    if (state_ != State::streaming) co_return Io::failed;
    if (!append_piece(out_, last) || (coding_ == Coding::length && left_to_send_ > 0)) {
        abandon(); // the promised length was not met: only a close tells the client
        co_return Io::failed;
    }
    if (coding_ == Coding::chunked) append_last_chunk(out_, trailers);
    state_ = State::finishing;
    const auto io = co_await write_out();
    if (io == Io::ok) state_ = State::finished;
    co_return io;
}

bool ServerConnection::post(std::string_view bytes) {
    if (state_ != State::streaming || (coding_ != Coding::chunked && coding_ != Coding::until_close)) return false;
    // While a write is parked the head is on its way already, and the stream puts this piece behind that write.
    std::string piece = writing_ ? std::string() : out_;
    const auto sent_before = body_sent_;
    append_piece(piece, bytes);
    if (!stream_.post(piece)) {
        body_sent_ = sent_before;
        return false;
    }
    if (!writing_) out_.clear();
    return true;
}

void ServerConnection::abandon() {
    if (coding_ == Coding::until_close && status_ != 101) stream_.reset(); // the close would be the answer's end
    state_ = State::broken;
    close_ = true;
    out_.clear();
}

} // namespace wm::http
