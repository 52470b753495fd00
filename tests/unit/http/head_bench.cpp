// Time to read one request head, ours and Boost.Beast's basic_parser. Not a test; see host/design/0003-http-parser.md.
#include "http/head.h"

#include <boost/beast/http/basic_parser.hpp>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

namespace {

namespace beast = boost::beast;

struct BeastHead : beast::http::basic_parser<true> {
    std::vector<std::pair<beast::string_view, beast::string_view>> fields;
    void on_request_impl(beast::http::verb, beast::string_view, beast::string_view, int, beast::error_code&) override {}
    void on_response_impl(int, beast::string_view, int, beast::error_code&) override {}
    void on_field_impl(beast::http::field, beast::string_view name, beast::string_view value,
                       beast::error_code&) override {
        fields.emplace_back(name, value);
    }
    void on_header_impl(beast::error_code&) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>&, beast::error_code&) override {}
    std::size_t on_body_impl(beast::string_view s, beast::error_code&) override { return s.size(); }
    void on_chunk_header_impl(std::uint64_t, beast::string_view, beast::error_code&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view s, beast::error_code&) override {
        return s.size();
    }
    void on_finish_impl(beast::error_code&) override {}
};

template <class F>
double nanoseconds(F&& f) { // the best of several, so that a busy machine counts little
    double best = 1e9;
    for (int run = 0; run < 15; ++run) {
        constexpr int times = 20'000;
        const auto start = std::clock(); // processor time
        for (int i = 0; i < times; ++i) f();
        best = std::min(best, double(std::clock() - start) * (1e9 / CLOCKS_PER_SEC) / times);
    }
    return best;
}

std::string head_of(int more) {
    std::string head =
        "POST /v1/messages?beta=true HTTP/1.1\r\nHost: api.example.com\r\nContent-Type: application/json\r\n"
        "Content-Length: 0\r\n";
    for (int i = 0; i < more; ++i)
        head += "X-Stainless-Field-" + std::to_string(i) + ": a value of the usual length, for a header\r\n";
    return head + "\r\n";
}

} // namespace

int main() {
    std::size_t sink = 0;
    for (const int fields : {3, 16, 40}) {
        const auto text = head_of(fields - 3);
        wm::http::RequestHead ours;
        const auto own = nanoseconds([&] {
            wm::http::HeadScanner scanner;
            scanner.scan(text, {});
            if (!ours.parse(std::string_view(text).substr(0, scanner.size()))) sink += ours.fields().size();
        });
        std::string block; // kept for its memory, as ours keeps its own
        std::vector<std::pair<beast::string_view, beast::string_view>> kept;
        const auto theirs = nanoseconds([&] {
            BeastHead parser;
            parser.fields.swap(kept);
            parser.fields.clear();
            block.assign(text);
            beast::error_code error;
            parser.put(boost::asio::buffer(block), error);
            sink += parser.fields.size();
            parser.fields.swap(kept);
        });
        std::printf("%2d fields, %4zu bytes: own %4.0f ns, Beast %4.0f ns\n", fields, text.size(), own, theirs);
    }
    return sink == 0;
}
