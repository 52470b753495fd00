#include "http/hop_by_hop.h"
#include "http/http_date.h"
#include "http/request_writer.h"

#include <gtest/gtest.h>

namespace wm::http {
namespace {

TEST(HopByHop, EndsTheFieldsOfThisConnection) {
    RequestHead head;
    ASSERT_FALSE(
        head.parse("GET / HTTP/1.1\r\nHost: h\r\nConnection: close, X-One\r\nconnection: x-two ,,X-Three\r\n\r\n"));
    const HopByHop ends(head);
    for (const auto name : {"connection", "Keep-Alive", "proxy-connection", "Proxy-Authorization", "Proxy-Authenticate",
                            "TE", "Trailer", "Upgrade", "Transfer-Encoding", "x-one", "X-Two", "X-THREE"})
        EXPECT_TRUE(ends(name)) << name;
    for (const auto name : {"Content-Type", "Authorization", "Content-Length", "X-Four", "TEX", ""})
        EXPECT_FALSE(ends(name)) << name;
}

TEST(RequestWriter, WritesAHead) {
    std::string out = "before|";
    const PairView fields[]{{"Accept", "text/event-stream"}, {"X-Empty", ""}};
    ASSERT_TRUE(append_request(out, {"POST", "/v1/x?y", "h:81", 5}, fields));
    EXPECT_EQ(out, "before|POST /v1/x?y HTTP/1.1\r\nHost: h:81\r\nAccept: text/event-stream\r\nX-Empty: \r\n"
                   "Content-Length: 5\r\n\r\n");
    out.clear();
    ASSERT_TRUE(append_request(out, {"GET", "/", "h", std::nullopt}, {}));
    EXPECT_EQ(out, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
}

TEST(RequestWriter, WritesNothingThatCouldChangeTheFraming) {
    const PairView good[]{{"A", "b"}};
    const auto writes = [](const RequestLine& line, std::span<const PairView> fields) {
        std::string out = "kept";
        const bool written = append_request(out, line, fields);
        EXPECT_EQ(out == "kept", !written);
        return written;
    };
    EXPECT_TRUE(writes({"GET", "/", "h", 0}, good));
    for (const PairView bad : {PairView{"A", "b\r\nC: d"}, PairView{"A", "b\rc"}, PairView{"A", "b\nc"},
                               PairView{"A", std::string_view("b\0c", 3)}, PairView{"A\r\nB", "c"}, PairView{"A:", "b"},
                               PairView{"A ", "b"}, PairView{"", "b"}, PairView{"host", "x"},
                               PairView{"Content-length", "1"}, PairView{"transfer-encoding", "chunked"}}) {
        const PairView fields[]{{"A", "b"}, bad};
        EXPECT_FALSE(writes({"GET", "/", "h", 0}, fields)) << bad.name << ": " << bad.value;
    }
    for (const auto method : {"", "G T", "GET\r\n"}) EXPECT_FALSE(writes({method, "/", "h", 0}, good)) << method;
    for (const auto target : {"", "/a b", "/\r\nX: y", "/\x01", "/a#b"})
        EXPECT_FALSE(writes({"GET", target, "h", 0}, good)) << target;
    for (const auto authority : {"", "h\r\nX: y", "u@h", "h/"})
        EXPECT_FALSE(writes({"GET", "/", authority, 0}, good)) << authority;
}

TEST(HttpDate, IsTheFixedForm) {
    EXPECT_EQ(http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
    EXPECT_EQ(http_date(784'111'777'999), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(http_date(784'111'778'000), "Sun, 06 Nov 1994 08:49:38 GMT");
}

TEST(ReasonPhrase, IsEmptyForWhatIsUnknown) {
    EXPECT_EQ(reason_phrase(429), "Too Many Requests");
    EXPECT_EQ(reason_phrase(599), "");
}

} // namespace
} // namespace wm::http
