#pragma once
// A whole HTTP/1.1 message as our reader and as Boost.Beast's understand it, for holding one against the other.
#include "http/body.h"
#include "http/head.h"

#include <boost/beast/http/basic_parser.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wm::http::differential {

namespace beast = boost::beast;

struct Message {
    enum class End { whole, more, refused } end = End::refused;
    bool head_done = false;
    std::string method, target; // of a request
    int status = 0;             // of an answer
    std::vector<std::pair<std::string, std::string>> fields;
    std::string body;
    bool chunked = false, keep_alive = false, until_close = false;
    std::size_t used = 0;    // bytes of it, if it is whole
    beast::error_code error; // of Beast
};

template <bool is_request>
Message read_ours(std::string_view wire, bool to_head = false) {
    Message message;
    HeadScanner scanner;
    const auto state = scanner.scan(wire, {});
    if (state == HeadScanner::State::more) message.end = Message::End::more;
    if (state != HeadScanner::State::found) return message;
    const auto fill = [&](const auto& head) {
        for (const auto& [name, value] : head.fields()) message.fields.emplace_back(name, value);
        message.chunked = head.framing() == Framing::chunked;
        message.until_close = head.framing() == Framing::until_close;
        message.keep_alive = head.keep_alive();
        message.head_done = true;
        return BodyDecoder(head);
    };
    BodyDecoder body;
    if constexpr (is_request) {
        RequestHead head;
        if (head.parse(wire.substr(0, scanner.size()))) return message;
        message.method = head.method();
        message.target = head.target();
        body = fill(head);
    } else {
        ResponseHead head;
        if (head.parse(wire.substr(0, scanner.size()), to_head)) return message;
        message.status = head.status();
        body = fill(head);
    }
    runtime::Buffer in;
    in.append(wire.substr(scanner.size()));
    switch (body.feed(in, message.body)) {
    case Step::done: message.end = Message::End::whole; break;
    case Step::more: message.end = Message::End::more; break;
    case Step::bad: break;
    }
    message.used = wire.size() - in.size();
    return message;
}

template <bool is_request>
struct BeastReader : beast::http::basic_parser<is_request> {
    Message message;

    void on_request_impl(beast::http::verb, beast::string_view method, beast::string_view target, int,
                         beast::error_code&) override {
        message.method = std::string(method);
        message.target = std::string(target);
    }
    void on_response_impl(int status, beast::string_view, int, beast::error_code&) override { message.status = status; }
    void on_field_impl(beast::http::field, beast::string_view name, beast::string_view value,
                       beast::error_code&) override {
        if (!message.head_done) message.fields.emplace_back(name, value); // else of a trailer
    }
    void on_header_impl(beast::error_code&) override { // later, trailers would have changed these
        message.head_done = true;
        message.chunked = this->chunked();
        message.keep_alive = this->keep_alive();
        message.until_close = this->need_eof();
    }
    void on_body_init_impl(const boost::optional<std::uint64_t>&, beast::error_code&) override {}
    std::size_t on_body_impl(beast::string_view bytes, beast::error_code&) override { return take(bytes); }
    void on_chunk_header_impl(std::uint64_t, beast::string_view, beast::error_code&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view bytes, beast::error_code&) override {
        return take(bytes);
    }
    void on_finish_impl(beast::error_code&) override {}

  private:
    std::size_t take(beast::string_view bytes) {
        message.body.append(bytes.data(), bytes.size());
        return bytes.size();
    }
};

template <bool is_request>
Message read_beasts(std::string_view wire, bool to_head = false) {
    BeastReader<is_request> reader;
    reader.header_limit(1 << 20);
    reader.body_limit(UINT64_MAX);
    reader.eager(true);
    reader.skip(to_head);
    auto& message = reader.message;
    while (!message.error && message.used < wire.size() && !reader.is_done())
        message.used += reader.put(boost::asio::buffer(wire.substr(message.used)), message.error);
    if (message.error == beast::http::error::need_more) message.error = {};
    if (!message.error) message.end = reader.is_done() ? Message::End::whole : Message::End::more;
    return message;
}

// What Beast alone refuses, and may: minor versions that RFC 9110, 2.5 asks us to take; a status line that ends with
// its status; what stands in a chunk's extensions and trailers, which we step over unread.
inline bool may_differ(const beast::error_code& found) {
    using beast::http::error;
    for (const auto allowed : {error::bad_version, error::bad_status, error::bad_chunk_extension})
        if (found == allowed) return true;
    return false;
}
inline bool may_differ_in_trailers(const beast::error_code& found) {
    using beast::http::error;
    for (const auto allowed :
         {error::bad_transfer_encoding, error::bad_content_length, error::bad_value, error::bad_obs_fold})
        if (found == allowed) return true;
    return false;
}

// What differs where ours has accepted a head; nothing: they agree. Ours may refuse whatever Beast takes.
template <bool is_request>
std::string difference(std::string_view wire, bool to_head = false) {
    const auto ours = read_ours<is_request>(wire, to_head);
    if (!ours.head_done) return {};
    const auto theirs = read_beasts<is_request>(wire, to_head);
    if (may_differ(theirs.error)) return {};
    if (!theirs.head_done) return "Beast refuses the head: " + theirs.error.message();
    if (ours.method != theirs.method || ours.target != theirs.target) return "another request line";
    if (ours.status != theirs.status) return "another status";
    if (ours.fields != theirs.fields) return "other fields";
    if (ours.keep_alive && !theirs.keep_alive) return "Beast would close the connection, we would not";
    if (ours.end == Message::End::refused) return {};
    const bool bodiless = !is_request && (to_head || ours.status < 200 || ours.status == 204 || ours.status == 304);
    if (!bodiless && (ours.chunked != theirs.chunked || ours.until_close != theirs.until_close))
        return "another framing";
    if (ours.chunked && ours.body == theirs.body && may_differ_in_trailers(theirs.error)) return {};
    if (theirs.end == Message::End::refused) return "Beast refuses the body: " + theirs.error.message();
    if (ours.body != theirs.body) return "another body";
    if (ours.end != theirs.end) return "one reads on, the other does not";
    if (ours.end == Message::End::whole && ours.used != theirs.used) return "another end";
    return {};
}

} // namespace wm::http::differential
