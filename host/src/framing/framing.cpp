#include "framing/framing.h"

#include <array>

namespace wm::framing {

namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 6> words{"sse", "ndjson", "json-array", "aws-eventstream", "document", "raw"};

} // namespace

std::optional<Framing> framing_of(std::string_view word) {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == word) return Framing(i);
    return std::nullopt;
}

std::string_view to_string(Framing framing) { return words[std::size_t(framing)]; }

std::string all_framings() {
    std::string out;
    for (const auto word : words) out.append(out.empty() ? "`" : ", `").append(word).append("`");
    return out;
}

FrameKind kind_of(Framing framing) {
    switch (framing) {
    case Framing::document: return FrameKind::document;
    case Framing::raw: return FrameKind::raw;
    default: return FrameKind::message;
    }
}

std::string_view media_type_of(Framing framing) {
    switch (framing) {
    case Framing::sse: return "text/event-stream";
    case Framing::aws_eventstream: return "application/vnd.amazon.eventstream";
    default: return {};
    }
}

} // namespace wm::framing
