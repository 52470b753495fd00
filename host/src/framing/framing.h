#pragma once
// The ways in which a streamed answer is cut into frames, and the words by which plugins name them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wm::framing {

enum class Framing : unsigned char { sse, ndjson, json_array, aws_eventstream, document, raw };

std::optional<Framing> framing_of(std::string_view word); // nothing: none of these
std::string_view to_string(Framing framing);
std::string all_framings(); // for messages: each in backticks

// What whoever reads a frame has before him.
// raw: bytes cut anywhere, the reader frames. The numbers are those by which plugins are told.
enum class FrameKind : std::uint32_t { message = 1, document = 2, raw = 3 };
FrameKind kind_of(Framing framing);

// The media type by which an answer tells this framing; empty: none tells it for sure.
std::string_view media_type_of(Framing framing);

} // namespace wm::framing
