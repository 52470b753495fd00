#include "http/head.h"

#include <gtest/gtest.h>

namespace wm::http {
namespace {

struct Refused {
    const char* what;
    std::string head;
    int status;
};

std::string get(const std::string& fields, const std::string& line = "GET / HTTP/1.1") {
    return line + "\r\n" + fields + "\r\n";
}
const std::string host = "Host: h\r\n";

TEST(RequestHead, RefusesWhatTwoReadersCouldReadDifferently) {
    const Refused table[] = {
        {"length and coding", get(host + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), 400},
        {"coding and length", get(host + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"), 400},
        {"unequal lengths", get(host + "Content-Length: 5\r\nContent-Length: 6\r\n"), 400},
        {"equal lengths", get(host + "Content-Length: 5\r\ncontent-length: 5\r\n"), 400},
        {"list of lengths", get(host + "Content-Length: 5, 5\r\n"), 400},
        {"signed length", get(host + "Content-Length: +5\r\n"), 400},
        {"negative length", get(host + "Content-Length: -5\r\n"), 400},
        {"hex length", get(host + "Content-Length: 0x5\r\n"), 400},
        {"empty length", get(host + "Content-Length:\r\n"), 400},
        {"length with a space", get(host + "Content-Length: 5 5\r\n"), 400},
        {"length beyond 64 bits", get(host + "Content-Length: 18446744073709551616\r\n"), 400},
        {"length beyond 63 bits", get(host + "Content-Length: 9223372036854775808\r\n"), 400},
        {"gzip coding", get(host + "Transfer-Encoding: gzip\r\n"), 501},
        {"gzip, chunked", get(host + "Transfer-Encoding: gzip, chunked\r\n"), 501},
        {"chunked twice in a list", get(host + "Transfer-Encoding: chunked, chunked\r\n"), 501},
        {"chunked twice in two lines", get(host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400},
        {"identity", get(host + "Transfer-Encoding: identity\r\n"), 501},
        {"chunked with a parameter", get(host + "Transfer-Encoding: chunked;q=1\r\n"), 501},
        {"empty coding", get(host + "Transfer-Encoding:\r\n"), 501},
        {"vertical tab in coding",
         get(host + "Transfer-Encoding: \x0b"
                    "chunked\r\n"),
         400},
        {"coding on HTTP/1.0", get("Transfer-Encoding: chunked\r\n", "GET / HTTP/1.0"), 400},
        {"bare LF after a field", "GET / HTTP/1.1\r\nHost: h\nA: b\r\n\r\n", 400},
        {"bare LF after the request line", "GET / HTTP/1.1\nHost: h\r\n\r\n", 400},
        {"bare LF at the end", "GET / HTTP/1.1\r\nHost: h\r\n\n", 400},
        {"bare CR in a value", get(host + "A: b\rc\r\n"), 400},
        {"bare CR in the target", get(host, "GET /a\rb HTTP/1.1"), 400},
        {"CR CR LF", "GET / HTTP/1.1\r\nHost: h\r\r\n\r\n", 400},
        {"folded value", get(host + "A: b\r\n c\r\n"), 400},
        {"folded with a tab", get(host + "A: b\r\n\tc\r\n"), 400},
        {"folded first field", get(" Host: h\r\n"), 400},
        {"space before the colon", get(host + "A : b\r\n"), 400},
        {"tab before the colon", get(host + "A\t: b\r\n"), 400},
        {"NUL in a value", get(host + std::string("A: b\0c\r\n", 8)), 400},
        {"NUL in a name", get(host + std::string("A\0: b\r\n", 7)), 400},
        {"control in a value",
         get(host + "A: b\x01"
                    "c\r\n"),
         400},
        {"control deep in a long value",
         get(host + "A: 0123456789abcdef\x1f"
                    "0123456789\r\n"),
         400},
        {"DEL in a value", get(host + "A: 01234567\x7f\r\n"), 400},
        {"no name", get(host + ": b\r\n"), 400},
        {"no colon", get(host + "A\r\n"), 400},
        {"name with a slash", get(host + "A/B: c\r\n"), 400},
        {"name with a quote", get(host + "\"A\": c\r\n"), 400},
        {"name beyond ASCII", get(host + "\xc3\xa4: c\r\n"), 400},
        {"no Host", get(""), 400},
        {"two Hosts", get(host + host), 400},
        {"two Hosts on HTTP/1.0", get(host + host, "GET / HTTP/1.0"), 400},
        {"empty Host", get("Host:\r\n"), 400},
        {"Host with a space", get("Host: a b\r\n"), 400},
        {"Host list", get("Host: a, b\r\n"), 400},
        {"Host with userinfo", get("Host: u@h\r\n"), 400},
        {"Host with a path", get("Host: h/x\r\n"), 400},
        {"Host with port 0", get("Host: h:0\r\n"), 400},
        {"Host with a big port", get("Host: h:65536\r\n"), 400},
        {"Host with a broken IPv6", get("Host: [::1\r\n"), 400},
        {"Host with bare IPv6", get("Host: ::1\r\n"), 400},
        {"HTTP/2.0", get(host, "GET / HTTP/2.0"), 505},
        {"HTTP/0.9", get(host, "GET / HTTP/0.9"), 505},
        {"no version", get(host, "GET /"), 400},
        {"lower-case version", get(host, "GET / http/1.1"), 400},
        {"long version", get(host, "GET / HTTP/1.10"), 400},
        {"other protocol", get(host, "GET / ICAP/1.0"), 400},
        {"two spaces", get(host, "GET  / HTTP/1.1"), 400},
        {"space in the target", get(host, "GET /a b HTTP/1.1"), 400},
        {"tab as a separator", get(host, "GET\t/\tHTTP/1.1"), 400},
        {"space at the end", get(host, "GET / HTTP/1.1 "), 400},
        {"space at the start", get(host, " GET / HTTP/1.1"), 400},
        {"no method", get(host, "/ HTTP/1.1"), 400},
        {"method that is no token", get(host, "GE(T / HTTP/1.1"), 400},
        {"fragment", get(host, "GET /a#b HTTP/1.1"), 400},
        {"control in the target", get(host, "GET /\x01 HTTP/1.1"), 400},
        {"target beyond ASCII", get(host, "GET /\xc3\xa4 HTTP/1.1"), 400},
        {"quote in the target", get(host, "GET /\"a\" HTTP/1.1"), 400},
        {"backslash in the target", get(host, "GET /a\\b HTTP/1.1"), 400},
        {"relative target", get(host, "GET a HTTP/1.1"), 400},
        {"asterisk", get(host, "GET * HTTP/1.1"), 400},
        {"CONNECT", get(host, "CONNECT h:443 HTTP/1.1"), 501},
        {"other scheme", get(host, "GET ftp://h/ HTTP/1.1"), 400},
        {"absolute with userinfo", get(host, "GET http://u:p@h/ HTTP/1.1"), 400},
        {"absolute without a host", get(host, "GET http:///a HTTP/1.1"), 400},
        {"Connection that is no list of tokens", get(host + "Connection: keep alive\r\n"), 400},
        {"unknown expectation", get(host + "Expect: tea\r\n"), 417},
        {"empty line first", "\r\n" + get(host), 400},
        {"bytes after the head", get(host) + "x", 400},
        {"nothing", "", 400},
    };
    for (const auto& [what, head, status] : table) {
        RequestHead request;
        const auto refusal = request.parse(head);
        ASSERT_TRUE(refusal) << what;
        EXPECT_EQ(refusal->status, status) << what << ": " << refusal->reason;
        EXPECT_FALSE(refusal->reason.empty()) << what;
    }
}

TEST(RequestHead, GivesPartsOfTheTarget) {
    struct Row {
        std::string line, path, query, host;
        bool has_query;
    };
    const Row table[] = {
        {"GET / HTTP/1.1", "/", "", "h", false},
        {"POST /v1/messages?beta=true&x HTTP/1.1", "/v1/messages", "beta=true&x", "h", true},
        {"GET /? HTTP/1.1", "/", "", "h", true},
        {"GET /a?b?c HTTP/1.1", "/a", "b?c", "h", true},
        {"GET //x/%2e%2E/y HTTP/1.1", "//x/%2e%2E/y", "", "h", false},
        {"GET /v1beta/models/a:streamGenerate HTTP/1.1", "/v1beta/models/a:streamGenerate", "", "h", false},
        {"OPTIONS * HTTP/1.1", "*", "", "h", false},
        {"GET http://other:81/p?q HTTP/1.1", "/p", "q", "other:81", true},
        {"GET HTTPS://other HTTP/1.1", "/", "", "other", false},
        {"GET http://[::1]:8?q HTTP/1.1", "/", "q", "[::1]:8", true},
    };
    for (const auto& row : table) {
        RequestHead request;
        const auto refusal = request.parse(get(host, row.line));
        ASSERT_FALSE(refusal) << row.line << ": " << refusal->reason;
        EXPECT_EQ(request.path(), row.path) << row.line;
        EXPECT_EQ(request.query(), row.query) << row.line;
        EXPECT_EQ(request.has_query(), row.has_query) << row.line;
        EXPECT_EQ(request.host(), row.host) << row.line;
    }
}

TEST(RequestHead, FindsFieldsWithoutCase) {
    RequestHead request;
    ASSERT_FALSE(request.parse(get("hOST: h\r\nAccept: a\r\nX-Empty:\r\naccept:\t b c \t\r\nX-Obs: \xe4\r\n")));
    EXPECT_EQ(request.fields().size(), 5u);
    EXPECT_EQ(request.find("ACCEPT"), "a");
    EXPECT_EQ(request.find("x-empty"), "");
    EXPECT_EQ(request.find("x-obs"), "\xe4");
    EXPECT_FALSE(request.find("absent"));
    std::string all;
    request.for_each("Accept", [&](std::string_view value) { all.append(value).append("|"); });
    EXPECT_EQ(all, "a|b c|");
}

TEST(RequestHead, KnowsHowTheBodyAndTheConnectionGoOn) {
    struct Row {
        std::string head;
        Framing framing;
        std::uint64_t length;
        bool keep_alive, expects;
        std::string upgrade;
    };
    const Row table[] = {
        {get(host), Framing::none, 0, true, false, ""},
        {get(host + "Connection: Close\r\n"), Framing::none, 0, false, false, ""},
        {get(host + "Connection: x, close ,y\r\n"), Framing::none, 0, false, false, ""},
        {get("", "GET / HTTP/1.0"), Framing::none, 0, false, false, ""},
        {get("Connection: keep-alive\r\n", "GET / HTTP/1.0"), Framing::none, 0, true, false, ""},
        {get("Connection: keep-alive, close\r\n", "GET / HTTP/1.0"), Framing::none, 0, false, false, ""},
        {get(host, "GET / HTTP/1.2"), Framing::none, 0, true, false, ""},
        {get(host + "Content-Length: 0\r\n"), Framing::length, 0, true, false, ""},
        {get(host + "Content-Length: 007\r\n"), Framing::length, 7, true, false, ""},
        {get(host + "Content-Length: 9223372036854775807\r\n"), Framing::length, INT64_MAX, true, false, ""},
        {get(host + "Transfer-Encoding: CHUNKED\r\n"), Framing::chunked, 0, true, false, ""},
        {get(host + "Content-Length: 5\r\nExpect: 100-Continue\r\n"), Framing::length, 5, true, true, ""},
        {get("Content-Length: 5\r\nExpect: 100-continue\r\n", "GET / HTTP/1.0"), Framing::length, 5, false, false, ""},
        {get("Expect: tea\r\n", "GET / HTTP/1.0"), Framing::none, 0, false, false, ""},
        {get(host + "Connection: Upgrade\r\nUpgrade: websocket, h2c\r\n"), Framing::none, 0, true, false, "websocket"},
        {get(host + "Upgrade: websocket\r\n"), Framing::none, 0, true, false, ""},
        {get(host + "Connection: upgrade\r\n"), Framing::none, 0, true, false, ""},
    };
    for (const auto& row : table) {
        RequestHead request;
        const auto refusal = request.parse(row.head);
        ASSERT_FALSE(refusal) << row.head << refusal->reason;
        EXPECT_EQ(request.framing(), row.framing) << row.head;
        EXPECT_EQ(request.content_length(), row.length) << row.head;
        EXPECT_EQ(request.keep_alive(), row.keep_alive) << row.head;
        EXPECT_EQ(request.expects_continue(), row.expects) << row.head;
        EXPECT_EQ(request.upgrade(), row.upgrade) << row.head;
    }
}

TEST(RequestHead, KeepsItsViewsWhenMovedAndForgetsWhenParsedAgain) {
    RequestHead first;
    ASSERT_FALSE(first.parse(get("Host: h\r\nContent-Length: 3\r\nConnection: close\r\n", "PUT /x?y HTTP/1.1")));
    RequestHead second = std::move(first);
    EXPECT_EQ(second.method(), "PUT");
    EXPECT_EQ(second.find("Host"), "h");
    ASSERT_FALSE(second.parse("A / HTTP/1.0\r\n\r\n")); // short enough for a string's inline storage
    RequestHead third = std::move(second);
    EXPECT_EQ(third.method(), "A");
    EXPECT_EQ(third.framing(), Framing::none);
    EXPECT_EQ(third.content_length(), 0u);
    EXPECT_FALSE(third.has_query());
    EXPECT_TRUE(third.host().empty());
}

TEST(RequestHead, BoundsTargetAndFields) {
    Limits limits;
    limits.max_target = 8;
    limits.max_fields = 2;
    RequestHead request;
    EXPECT_FALSE(request.parse(get(host + "A: b\r\n", "GET /2345678 HTTP/1.1"), limits));
    EXPECT_EQ(request.parse(get(host, "GET /23456789 HTTP/1.1"), limits)->status, 414);
    EXPECT_EQ(request.parse(get(host + "A: b\r\nC: d\r\n"), limits)->status, 431);
}

using State = HeadScanner::State;

TEST(HeadScanner, FindsTheEndAtEverySplit) {
    const auto head = get(host + "A: b\r\n");
    const auto text = head + "rest\r\n\r\n";
    for (std::size_t split = 0; split <= text.size(); ++split) {
        HeadScanner scanner;
        const auto state = scanner.scan(std::string_view(text).substr(0, split), {});
        ASSERT_EQ(state, split < head.size() ? State::more : State::found) << split;
        if (state == State::more) {
            ASSERT_EQ(scanner.scan(text, {}), State::found) << split;
        }
        EXPECT_EQ(scanner.size(), head.size()) << split;
    }
    HeadScanner scanner; // byte by byte
    for (std::size_t n = 1; n < head.size(); ++n) ASSERT_EQ(scanner.scan(head.substr(0, n), {}), State::more) << n;
    EXPECT_EQ(scanner.scan(head, {}), State::found);
}

TEST(HeadScanner, RefusesBeforeTheHeadEnds) {
    Limits limits;
    limits.max_head = 1000;
    limits.max_target = 200;
    limits.max_fields = 3;
    struct Row {
        std::string bytes;
        int status; // 0: goes on
    };
    const Row table[] = {
        {"GET /", 0},
        {"GET / HTTP/1.1\n", 400},
        {"\n", 400},
        {"GET / HTTP/1.1\r\nA: b\n", 400},
        {"GET /" + std::string(300, 'a'), 414},
        {"GET / HTTP/1.1\r\nA: " + std::string(900, 'a'), 0},
        {"GET / HTTP/1.1\r\nA: " + std::string(1000, 'a'), 431},
        {"GET / HTTP/1.1\r\nA: b\r\nA: b\r\nA: b\r\n", 0},
        {"GET / HTTP/1.1\r\nA: b\r\nA: b\r\nA: b\r\nA: b\r\n", 431},
    };
    for (const auto& [bytes, status] : table) {
        HeadScanner scanner;
        const auto state = scanner.scan(bytes, limits);
        EXPECT_EQ(state, status ? State::bad : State::more) << bytes;
        if (status) {
            EXPECT_EQ(scanner.refusal().status, status) << bytes;
        }
    }
}

} // namespace
} // namespace wm::http
