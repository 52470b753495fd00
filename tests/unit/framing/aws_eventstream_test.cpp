#include "cutting.h"
#include "eventstream.h"

#include <gtest/gtest.h>

namespace wm::framing {
namespace {

using testing::big_endian;
using testing::eventstream_message;
using testing::text_header;
using testing::with_crc;

// A header of each type but text.
std::string odd_headers() {
    std::string out;
    const auto add = [&](char type, std::string_view value) { out.append("\x01x").append(1, type).append(value); };
    add(0, "");
    add(1, "");
    add(2, "b");
    add(3, "sh");
    add(4, "int4");
    add(5, "long8888");
    add(6, std::string("\0\2by", 4));
    add(8, "time8888");
    add(9, "uuid567890123456");
    return out;
}

std::string event(std::string_view type, std::string_view payload) {
    return eventstream_message(
        odd_headers() + text_header(":event-type", type) + text_header(":content-type", "application/json"), payload);
}

Cut anyhow(const std::string& stream, std::size_t max_frame = 1 << 20) {
    return cut_anyhow(Framing::aws_eventstream, stream, max_frame);
}

TEST(AwsEventstreamFramer, ReadsAMessageAsTheSpecificationShowsIt) {
    // The empty message of Amazon's own test vectors.
    const std::string empty("\x00\x00\x00\x10\x00\x00\x00\x00\x05\xc2\x48\xeb\x7d\x98\xc8\xff", 16);
    EXPECT_EQ(anyhow(empty).frames.size(), 1u);
    EXPECT_EQ(anyhow(empty).problem, "");
    EXPECT_EQ(eventstream_message("", ""), empty);
}

TEST(AwsEventstreamFramer, NamesEventsExceptionsAndErrors) {
    const auto got =
        anyhow(event("chunk", "{\"a\":1}") + event("chunk", "") +
               eventstream_message(text_header(":exception-type", "throttlingException"), "{\"message\":\"slow\"}") +
               eventstream_message(
                   text_header(":error-code", "InternalError") + text_header(":error-message", "it broke"), ""));
    const Cut expected{{{"chunk", "{\"a\":1}"},
                        {"chunk", ""},
                        {"throttlingException", "{\"message\":\"slow\"}"},
                        {"InternalError", "it broke"}},
                       ""};
    EXPECT_EQ(got, expected);
}

TEST(AwsEventstreamFramer, RefusesEveryChangedByte) {
    const auto good = event("chunk", "{}");
    for (std::size_t i = 0; i < good.size(); ++i) {
        auto bad = good;
        bad[i] = char(bad[i] ^ 0x40);
        const auto got = cut(Framing::aws_eventstream, {good, bad});
        EXPECT_EQ(got.frames.size(), 1u) << i;
        EXPECT_NE(got.problem, "") << i;
    }
}

TEST(AwsEventstreamFramer, RefusesLengthsThatDoNotFit) {
    const auto message = [](std::uint32_t total, std::uint32_t headers) {
        return with_crc(with_crc(big_endian(total, 4) + big_endian(headers, 4)) + std::string(100, 'x'));
    };
    for (const auto& bad : {message(0, 0), message(15, 0), message(16, 1), message(100, 200), message(100, 0xffffffff),
                            message(0xffffffff, 0), message(300u << 10, 200u << 10)})
        EXPECT_NE(anyhow(bad).problem, "");
    // Headers that end elsewhere than they should, of a type nobody knows, or without a name.
    for (const auto& headers : {std::string("\x05xy"), std::string("\x01x\x07"), std::string("\x01x\x07\x00\x09y", 6),
                                std::string("\x01x\x0a"), std::string("\x00\x00", 2), std::string("\x01x")})
        EXPECT_NE(anyhow(eventstream_message(headers, "{}")).problem, "") << headers.size();
}

TEST(AwsEventstreamFramer, BoundsAMessageAndNoticesACut) {
    const auto message = event("chunk", "{}");
    EXPECT_EQ(anyhow(message, message.size()).frames.size(), 1u);
    EXPECT_NE(anyhow(message, message.size() - 1).problem, "");
    for (std::size_t size = 1; size < message.size(); ++size) {
        const auto got = cut(Framing::aws_eventstream, {message, std::string_view(message).substr(0, size)});
        EXPECT_EQ(got.frames.size(), 1u);
        EXPECT_EQ(got.problem, "the stream ended inside a message");
    }
}

} // namespace
} // namespace wm::framing
