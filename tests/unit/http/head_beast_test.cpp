// Our reader of heads beside Boost.Beast's: whatever ours accepts, Beast must accept and read alike.
#include "base/random.h"
#include "http/head.h"

#include <boost/beast/http/basic_parser.hpp>
#include <gtest/gtest.h>

#include <vector>

namespace wm::http {
namespace {

namespace beast = boost::beast;
using Fields = std::vector<std::pair<std::string, std::string>>;

struct BeastRequest : beast::http::basic_parser<true> {
    std::string method, target;
    int version = 0;
    Fields fields;

    void on_request_impl(beast::http::verb, beast::string_view m, beast::string_view t, int v,
                         beast::error_code&) override {
        method = std::string(m);
        target = std::string(t);
        version = v;
    }
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

struct Tally {
    int accepted = 0, refused = 0;
};

void compare(const std::string& head, Tally& tally) {
    RequestHead ours;
    if (ours.parse(head)) {
        ++tally.refused;
        return;
    }
    ++tally.accepted;
    BeastRequest theirs;
    theirs.header_limit(1 << 20);
    theirs.body_limit(UINT64_MAX);
    beast::error_code error;
    theirs.put(boost::asio::buffer(head), error);
    if (error == beast::http::error::bad_version) return;   // HTTP/1.2 to 1.9, which RFC 9110 2.5 asks us to take
    if (error == beast::http::error::need_more) error = {}; // the body
    ASSERT_FALSE(error) << error.message() << '\n' << head;
    ASSERT_TRUE(theirs.is_header_done()) << head;
    EXPECT_EQ(theirs.method, ours.method());
    EXPECT_EQ(theirs.target, ours.target());
    Fields fields;
    for (const auto& [name, value] : ours.fields()) fields.emplace_back(name, value);
    EXPECT_EQ(theirs.fields, fields) << head;
    EXPECT_EQ(theirs.chunked(), ours.framing() == Framing::chunked) << head;
    EXPECT_EQ(theirs.content_length().value_or(0), ours.framing() == Framing::length ? ours.content_length() : 0)
        << head;
    EXPECT_TRUE(theirs.keep_alive() || !ours.keep_alive()) << head; // where options contradict, ours closes
}

const std::string seeds[] = {
    "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
    "POST /v1/messages?beta=true HTTP/1.1\r\nHost: api.example.com:8080\r\nContent-Type: application/json\r\n"
    "Content-Length: 17\r\nAccept: */*\r\n\r\n",
    "PUT /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
    "GET http://other/p HTTP/1.0\r\nConnection: keep-alive\r\nA:\r\nB: \t c \r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: [::1]:80\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\nX: \xe4\r\n\r\n",
};

TEST(Differential, AcceptsTheSeeds) {
    Tally tally;
    for (const auto& seed : seeds) compare(seed, tally);
    EXPECT_EQ(tally.refused, 0);
}

TEST(Differential, AgreesOnMutations) {
    Random random(20240607);
    static constexpr char set[] = "\r\n\t :;,/?#%\0\x01\x7f\x80\xff\"\\(){}[]019aAzZ-_.~+*";
    constexpr std::string_view bytes(set, sizeof set - 1); // a NUL is among them
    constexpr std::string_view pieces[]{"\r\n",
                                        "\n",
                                        "\r",
                                        " ",
                                        "\r\n ",
                                        ": ",
                                        "Content-Length: 3\r\n",
                                        "Host: x\r\n",
                                        "Transfer-Encoding: chunked\r\n",
                                        "Connection: close\r\n",
                                        "HTTP/1.0",
                                        "HTTP/1.1"};
    Tally tally;
    for (int round = 0; round < 60'000 && !testing::Test::HasFailure(); ++round) {
        auto head = seeds[std::size_t(random.between(0, std::size(seeds) - 1))];
        for (auto changes = random.between(1, 3); changes > 0; --changes) {
            const auto at = std::size_t(random.between(0, std::int64_t(head.size()) - 1));
            const char byte = bytes[std::size_t(random.between(0, std::int64_t(bytes.size()) - 1))];
            switch (random.between(0, 4)) {
            case 0: head[at] = byte; break;
            case 1: head.insert(at, 1, byte); break;
            case 2: head.erase(at, std::size_t(random.between(1, 3))); break;
            case 3: head.insert(at, pieces[std::size_t(random.between(0, std::size(pieces) - 1))]); break;
            default: head[at] = char(random.next()); break;
            }
            if (head.empty()) head = "x";
        }
        compare(head, tally);
    }
    EXPECT_GT(tally.accepted, 5'000); // mutations that are still heads, so that the comparison says something
    EXPECT_GT(tally.refused, 5'000);
}

} // namespace
} // namespace wm::http
