// Our reader of messages beside Boost.Beast's: whatever ours accepts, Beast must accept and read alike.
#include "base/random.h"
#include "read_message.h"

#include <gtest/gtest.h>

namespace wm::http::differential {
namespace {

struct Tally {
    int accepted = 0, refused = 0;
};

template <bool is_request>
void compare(const std::string& wire, Tally& tally, bool to_head = false) {
    ++(read_ours<is_request>(wire, to_head).end == Message::End::refused ? tally.refused : tally.accepted);
    EXPECT_EQ(difference<is_request>(wire, to_head), "") << wire;
}

const std::string requests[] = {
    "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
    "POST /v1/messages?beta=true HTTP/1.1\r\nHost: api.example.com:8080\r\nContent-Type: application/json\r\n"
    "Content-Length: 17\r\nAccept: */*\r\n\r\n",
    "PUT /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
    "GET http://other/p HTTP/1.0\r\nConnection: keep-alive\r\nA:\r\nB: \t c \r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: [::1]:80\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\nX: \xe4\r\n\r\n{}",
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0a\r\n0123456789\r\n0\r\nX: "
    "y\r\n\r\n",
};
const std::string answers[] = {
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
    "HTTP/1.0 429 Too Many Requests\r\nRetry-After: 3\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 304 \r\nContent-Length: 5\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nConnection: close\r\n\r\nrest",
};

// A little damage, so that much of it is still a message.
std::string mutated(std::string wire, Random& random) {
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
                                        "HTTP/1.1",
                                        "0\r\n",
                                        "3\r\nabc\r\n"};
    for (auto changes = random.between(1, 3); changes > 0; --changes) {
        const auto at = std::size_t(random.between(0, std::int64_t(wire.size()) - 1));
        const char byte = bytes[std::size_t(random.between(0, std::int64_t(bytes.size()) - 1))];
        switch (random.between(0, 4)) {
        case 0: wire[at] = byte; break;
        case 1: wire.insert(at, 1, byte); break;
        case 2: wire.erase(at, std::size_t(random.between(1, 3))); break;
        case 3: wire.insert(at, pieces[std::size_t(random.between(0, std::size(pieces) - 1))]); break;
        default: wire[at] = char(random.next()); break;
        }
        if (wire.empty()) wire = "x";
    }
    return wire;
}

TEST(Differential, AcceptsTheSeeds) {
    Tally tally;
    for (const auto& seed : requests) compare<true>(seed, tally);
    for (const auto& seed : answers) compare<false>(seed, tally);
    EXPECT_EQ(tally.refused, 0);
}

TEST(Differential, AgreesOnMutatedRequests) {
    Random random(20240607);
    Tally tally;
    for (int round = 0; round < 60'000 && !testing::Test::HasFailure(); ++round)
        compare<true>(mutated(requests[std::size_t(random.between(0, std::size(requests) - 1))], random), tally);
    EXPECT_GT(tally.accepted, 5'000); // mutations that are still messages, so that the comparison says something
    EXPECT_GT(tally.refused, 5'000);
}

TEST(Differential, AgreesOnMutatedAnswers) {
    Random random(20240608);
    Tally tally;
    for (int round = 0; round < 60'000 && !testing::Test::HasFailure(); ++round)
        compare<false>(mutated(answers[std::size_t(random.between(0, std::size(answers) - 1))], random), tally,
                       random.between(0, 3) == 0);
    EXPECT_GT(tally.accepted, 5'000);
    EXPECT_GT(tally.refused, 5'000);
}

} // namespace
} // namespace wm::http::differential
