#include "http/body.h"

#include <gtest/gtest.h>

namespace wm::http {
namespace {

using runtime::Buffer;

struct Decoded {
    Step step;
    std::string payload, rest;
    bool operator==(const Decoded&) const = default;
};

// Given in two pieces, with the payload taken at most `most` bytes at a time.
Decoded decode(BodyDecoder decoder, std::string_view wire, std::size_t split, std::size_t most = SIZE_MAX) {
    Buffer in;
    Decoded got{Step::more, "", ""};
    for (const auto piece : {wire.substr(0, split), wire.substr(split)}) {
        in.append(piece);
        for (;;) {
            const auto before = in.size();
            got.step = decoder.feed(
                in, [&](std::string_view bytes) { got.payload += bytes; }, most);
            if (got.step != Step::more || in.size() == before) break;
        }
    }
    got.rest = in.view();
    return got;
}

TEST(BodyDecoder, GivesTheSameAtEverySplit) {
    struct Row {
        Framing framing;
        std::uint64_t length;
        std::string wire;
        Decoded expected;
    };
    const Row table[] = {
        {Framing::none, 0, "next", {Step::done, "", "next"}},
        {Framing::length, 0, "next", {Step::done, "", "next"}},
        {Framing::length, 5, "hellonext", {Step::done, "hello", "next"}},
        {Framing::length, 6, "hello", {Step::more, "hello", ""}},
        {Framing::until_close, 0, "hello\r\n", {Step::more, "hello\r\n", ""}},
        {Framing::chunked, 0, "5\r\nhello\r\n0\r\n\r\nnext", {Step::done, "hello", "next"}},
        {Framing::chunked, 0, "0\r\n\r\nnext", {Step::done, "", "next"}},
        {Framing::chunked,
         0,
         "00005\r\nhello\r\nA\r\n0123456789\r\nb\r\n0123456789a\r\n0\r\n\r\n",
         {Step::done, "hello01234567890123456789a", ""}},
        {Framing::chunked, 0, "5;a=b;c=\"d e\";f\r\nhello\r\n0;last\r\n\r\n", {Step::done, "hello", ""}},
        {Framing::chunked, 0, "5\r\nhello\r\n0\r\nX-Sum: 1\r\nOther:\r\n\r\nnext", {Step::done, "hello", "next"}},
        {Framing::chunked, 0, "5\r\nhel\r\n\r\n0\r\n\r\n", {Step::done, "hel\r\n", ""}},
        {Framing::chunked, 0, "5\r\nhello\r\n0\r\n", {Step::more, "hello", ""}},
    };
    for (const auto& row : table)
        for (std::size_t split = 0; split <= row.wire.size(); ++split)
            for (const std::size_t most : {std::size_t(1), std::size_t(3), SIZE_MAX})
                EXPECT_EQ(decode({row.framing, row.length}, row.wire, split, most), row.expected)
                    << row.wire << " split at " << split << " by " << most;
}

TEST(BodyDecoder, RefusesBrokenChunksAtEverySplit) {
    const std::string table[] = {
        "\r\n",
        "x\r\n",
        "-5\r\nhello\r\n0\r\n\r\n",
        "+5\r\nhello\r\n0\r\n\r\n",
        "0x5\r\nhello\r\n0\r\n\r\n",
        " 5\r\nhello\r\n0\r\n\r\n",
        "5 \r\nhello\r\n0\r\n\r\n",
        "5 ;a\r\nhello\r\n0\r\n\r\n",
        "5\nhello\r\n0\r\n\r\n",
        "5\rhello\r\n0\r\n\r\n",
        "5\r\nhelloX\r\n0\r\n\r\n",
        "5\r\nhello\n0\r\n\r\n",
        "5\r\nhello\r0\r\n\r\n",
        "5\r\nhello0\r\n\r\n",
        "5;a\nhello\r\n0\r\n\r\n",
        "5;a\x01\r\nhello\r\n0\r\n\r\n",
        "5;a=\"\r\r\n\"\r\nhello\r\n0\r\n\r\n",
        "0\r\n\n",
        "0\r\n\rX",
        "0\r\n A: b\r\n\r\n",
        "0\r\nA b\r\n\r\n",
        "0\r\nA : b\r\n\r\n",
        "0\r\n: b\r\n\r\n",
        "0\r\nA: b\nC: d\r\n\r\n",
        "0\r\nA: b\rc\r\n\r\n",
        "0\r\nA: \x01\r\n\r\n",
        "ffffffffffffffffff\r\n",
        "10000000000000000\r\n",
    };
    for (const auto& wire : table)
        for (std::size_t split = 0; split <= wire.size(); ++split) {
            const auto got = decode({Framing::chunked, 0}, wire, split);
            EXPECT_EQ(got.step, Step::bad) << wire << " split at " << split;
        }
}

TEST(BodyDecoder, StaysBadOnceBroken) {
    BodyDecoder decoder(Framing::chunked, 0);
    Buffer in;
    std::string out;
    in.append("x");
    EXPECT_EQ(decoder.feed(in, out), Step::bad);
    EXPECT_EQ(decoder.feed(in, out), Step::bad);
    in.append("0\r\n\r\n");
    EXPECT_EQ(decoder.feed(in, out), Step::bad);
    EXPECT_EQ(decoder.at_end_of_stream(), Step::bad);
}

TEST(BodyDecoder, BoundsWhatIsNotPayload) {
    Limits limits;
    limits.max_chunk_line = 20;
    limits.max_trailers = 30;
    const auto judge = [&](const std::string& wire) { return decode({Framing::chunked, 0, limits}, wire, 0).step; };
    EXPECT_EQ(judge("1;" + std::string(19, 'a') + "\r\nx\r\n0\r\n\r\n"), Step::done);
    EXPECT_EQ(judge("1;" + std::string(20, 'a') + "\r\nx\r\n0\r\n\r\n"), Step::bad);
    EXPECT_EQ(judge(std::string(21, '0')), Step::bad);
    EXPECT_EQ(judge("0\r\nA: " + std::string(24, 'b') + "\r\n\r\n"), Step::done);
    EXPECT_EQ(judge("0\r\nA: " + std::string(25, 'b') + "\r\n\r\n"), Step::bad);
    EXPECT_EQ(judge("0\r\n" +
                    [] {
                        std::string many;
                        for (int i = 0; i < 10; ++i) many += "A:\r\n";
                        return many;
                    }() +
                    "\r\n"),
              Step::bad);

    std::string thin, thick; // a little payload for much extension adds up; enough payload outweighs it
    for (int i = 0; i < 10; ++i) thin += "1;0123456789\r\nx\r\n", thick += "a;0123456789\r\n0123456789\r\n";
    EXPECT_EQ(judge(thin + "0\r\n\r\n"), Step::bad);
    EXPECT_EQ(judge(thick + "0\r\n\r\n"), Step::done);
}

// A reader that looks for the closing quote finds another end of the line than one that looks for CR LF.
TEST(BodyDecoder, AQuotedExtensionEndsWithItsQuote) {
    const auto judge = [](std::string_view extension) {
        BodyDecoder decoder(Framing::chunked, 0);
        Buffer in;
        std::string out;
        in.append("1;" + std::string(extension) + "\r\nx\r\n0\r\n\r\n");
        return decoder.feed(in, out);
    };
    EXPECT_EQ(judge(R"(a="b;c";d="")"), Step::done);
    EXPECT_EQ(judge(R"(a="b\";c="\"")"), Step::done);
    EXPECT_EQ(judge(R"(a="b)"), Step::bad);
    EXPECT_EQ(judge(R"(a="b\")"), Step::bad);
    EXPECT_EQ(judge(R"(a="b\)"), Step::bad);
}

TEST(BodyDecoder, KnowsWhetherTheStreamMayEnd) {
    EXPECT_EQ(BodyDecoder(Framing::none, 0).at_end_of_stream(), Step::done);
    EXPECT_EQ(BodyDecoder(Framing::until_close, 0).at_end_of_stream(), Step::done);
    EXPECT_EQ(BodyDecoder(Framing::length, 1).at_end_of_stream(), Step::bad);
    EXPECT_EQ(BodyDecoder(Framing::chunked, 0).at_end_of_stream(), Step::bad);
    EXPECT_EQ(BodyDecoder(Framing::length, 7).left(), 7u);
    BodyDecoder chunks(Framing::chunked, 0);
    Buffer in;
    std::string out;
    for (const std::string_view part : {"7", "f", "ff"}) {
        in.append(part);
        EXPECT_EQ(chunks.feed(in, out), Step::more);
        EXPECT_EQ(chunks.left(), 0u) << "more digits may come";
    }
    in.append("\r");
    chunks.feed(in, out);
    EXPECT_EQ(chunks.left(), 0x7fffu);
}

} // namespace
} // namespace wm::http
