#include "http/head.h"

#include <gtest/gtest.h>

namespace wm::http {
namespace {

std::string answer(const std::string& fields, const std::string& line = "HTTP/1.1 200 OK") {
    return line + "\r\n" + fields + "\r\n";
}

TEST(ResponseHead, RefusesBrokenAnswers) {
    const std::string table[] = {
        answer("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"),
        answer("Content-Length: 5\r\nContent-Length: 5\r\n"),
        answer("Content-Length: 5\r\nContent-Length: 6\r\n"),
        answer("Content-Length: 5, 5\r\n"),
        answer("Content-Length: x\r\n"),
        answer("Transfer-Encoding: gzip\r\n"),
        answer("Transfer-Encoding: chunked\r\n", "HTTP/1.0 200 OK"),
        answer("A: b\r\n c\r\n"),
        answer("A : b\r\n"),
        answer("A: b\x01\r\n"),
        answer("", "HTTP/1.1 20 OK"),
        answer("", "HTTP/1.1 2000 OK"),
        answer("", "HTTP/1.1 099 OK"),
        answer("", "HTTP/1.1 600 OK"),
        answer("", "HTTP/1.1 2xx OK"),
        answer("", "HTTP/1.1200 OK"),
        answer("", "HTTP/1.1"),
        answer("", "HTTP/2.0 200 OK"),
        answer("", "HTTP/1.1 200 O\x01K"),
        answer("", "ICY 200 OK"),
        "HTTP/1.1 200 OK\n\r\n",
        "\r\n",
        "",
    };
    for (const auto& head : table) {
        ResponseHead response;
        EXPECT_TRUE(response.parse(head, false)) << head;
    }
}

TEST(ResponseHead, KnowsTheBodysFraming) {
    struct Row {
        std::string head;
        bool to_head;
        int status;
        Framing framing;
        bool keep_alive;
    };
    const std::string chunked = "Transfer-Encoding: chunked\r\n", five = "Content-Length: 5\r\n";
    const Row table[] = {
        {answer(five), false, 200, Framing::length, true},
        {answer(five), true, 200, Framing::none, true},
        {answer(chunked), false, 200, Framing::chunked, true},
        {answer(chunked), true, 200, Framing::none, true},
        {answer(""), false, 200, Framing::until_close, false},
        {answer("Connection: close\r\n" + five), false, 200, Framing::length, false},
        {answer(five, "HTTP/1.0 200 OK"), false, 200, Framing::length, false},
        {answer("Connection: Keep-Alive\r\n" + five, "HTTP/1.0 200 OK"), false, 200, Framing::length, true},
        {answer("", "HTTP/1.1 204 No Content"), false, 204, Framing::none, true},
        {answer(five, "HTTP/1.1 204 No Content"), false, 204, Framing::none, false},
        {answer(chunked, "HTTP/1.1 204 No Content"), false, 204, Framing::none, false},
        {answer(five, "HTTP/1.1 304 Not Modified"), false, 304, Framing::none, true},
        {answer("", "HTTP/1.1 100 Continue"), false, 100, Framing::none, true},
        {answer(five, "HTTP/1.1 529"), false, 529, Framing::length, true},
        {answer(five, "HTTP/1.1 529 "), false, 529, Framing::length, true},
    };
    for (const auto& row : table) {
        ResponseHead response;
        const auto refusal = response.parse(row.head, row.to_head);
        ASSERT_FALSE(refusal) << row.head << refusal->reason;
        EXPECT_EQ(response.status(), row.status) << row.head;
        EXPECT_EQ(response.framing(), row.framing) << row.head;
        EXPECT_EQ(response.keep_alive(), row.keep_alive) << row.head;
    }
}

} // namespace
} // namespace wm::http
