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

TEST(Decode, MembersAreJoined) {
    auto body = packed("{\"model\":", Poco::DeflatingStreamBuf::STREAM_GZIP);
    body += packed("", Poco::DeflatingStreamBuf::STREAM_GZIP) + packed("\"m\"}", Poco::DeflatingStreamBuf::STREAM_GZIP);
    EXPECT_EQ(decode_body("gzip", body, 1000), Decoded::ok);
    EXPECT_EQ(body, "{\"model\":\"m\"}");
    body = packed(std::string(600, 'x'), Poco::DeflatingStreamBuf::STREAM_GZIP);
    body += body;
    EXPECT_EQ(decode_body("gzip", body, 1000), Decoded::too_large);
}

TEST(Decode, WhatFollowsTheEndIsBroken) {
    const auto gzip = packed("{}", Poco::DeflatingStreamBuf::STREAM_GZIP),
               zlib = packed("{}", Poco::DeflatingStreamBuf::STREAM_ZLIB);
    for (const auto& rest : {std::string("x"), std::string("\0", 1), std::string("{}"), std::string("\x1f\x8b"),
                             gzip.substr(0, gzip.size() - 1)}) {
        auto body = gzip + rest;
        EXPECT_EQ(decode_body("gzip", body, 1000), Decoded::broken) << rest.size();
    }
    for (const auto& rest : {std::string("x"), zlib}) { // a zlib stream has no members
        auto body = zlib + rest;
        EXPECT_EQ(decode_body("deflate", body, 1000), Decoded::broken) << rest.size();
    }
}

TEST(Decode, WhatIsCutShortAnywhereIsBroken) {
    const auto whole = packed(std::string(100'000, 'x') + "{}", Poco::DeflatingStreamBuf::STREAM_GZIP);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        auto body = whole.substr(0, size);
        EXPECT_EQ(decode_body("gzip", body, 200'000), Decoded::broken) << size;
    }
}

TEST(Decode, OtherCodingsAreUnsupported) {
    std::string body = "x";
    for (const auto* coding : {"zstd", "br", "gzip, gzip", "compress"})
        EXPECT_EQ(decode_body(coding, body, 1000), Decoded::unsupported) << coding;
}

} // namespace
