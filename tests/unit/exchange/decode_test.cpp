#include "exchange/decode.h"

#include <Poco/DeflatingStream.h>

#include <gtest/gtest.h>

#include <sstream>

using namespace wm::exchange;

namespace {

std::string packed(const std::string& text, Poco::DeflatingStreamBuf::StreamType type) {
    std::ostringstream out;
    Poco::DeflatingOutputStream deflating(out, type);
    deflating << text;
    deflating.close();
    return out.str();
}

TEST(Decode, UndoesEachCodingItKnows) {
    const std::string text(100'000, 'x');
    for (const auto& [coding, type] : {std::pair{"gzip", Poco::DeflatingStreamBuf::STREAM_GZIP},
                                       {"X-GZip", Poco::DeflatingStreamBuf::STREAM_GZIP},
                                       {"deflate", Poco::DeflatingStreamBuf::STREAM_ZLIB}}) {
        auto body = packed(text, type);
        EXPECT_EQ(decode_body(coding, body, 200'000), Decoded::ok) << coding;
        EXPECT_EQ(body, text) << coding;
    }
}

TEST(Decode, LeavesAPlainBodyAlone) {
    std::string body = "{}";
    EXPECT_EQ(decode_body("", body, 1), Decoded::ok);
    EXPECT_EQ(decode_body(" identity ", body, 1), Decoded::ok);
    EXPECT_EQ(body, "{}");
}

TEST(Decode, ABombStopsAtTheBound) {
    auto body = packed(std::string(10u << 20, 'x'), Poco::DeflatingStreamBuf::STREAM_GZIP);
    EXPECT_EQ(decode_body("gzip", body, 1u << 20), Decoded::too_large);
}

TEST(Decode, WhatIsNotInTheCodingIsBroken) {
    std::string body = "{\"model\":\"m\"}";
    EXPECT_EQ(decode_body("gzip", body, 1000), Decoded::broken);
    body.clear();
    EXPECT_EQ(decode_body("gzip", body, 1000), Decoded::broken);
}

TEST(Decode, OtherCodingsAreUnsupported) {
    std::string body = "x";
    for (const auto* coding : {"zstd", "br", "gzip, gzip", "compress"}) EXPECT_EQ(decode_body(coding, body, 1000), Decoded::unsupported) << coding;
}

} // namespace
