#include "exchange/unframe.h"

#include "plugin/talk.h"

namespace wm::exchange {

plugin::Called<std::vector<plugin::OutFrame>> unframe(const Upstream& up, const framing::Frame& frame) {
    if (frame.comment_only) return std::vector<plugin::OutFrame>();
    if (frame.oversized) return Failure{plugin::PluginError{plugin::unsupported, {}, "too large to be unframed"}};
    return up.adapter->unframe(frame.name, frame.data, framing::kind_of(up.framing), up.bounds.batch);
}

std::optional<plugin::PluginError> unframe_document(const Upstream& up, std::string& document) {
    if (!unframes(up)) return std::nullopt;
    auto held = up.adapter->unframe({}, document, framing::FrameKind::document, up.bounds.response);
    if (!held) return std::move(held.error());
    if (held->size() != 1)
        return plugin::PluginError{plugin::bad_input, {}, "a document of " + std::to_string(held->size()) + " frames"};
    document = std::move(held->front().data);
    return std::nullopt;
}

std::optional<AttemptFailure> take_off_frame(const Upstream& up, std::string& document) {
    const int status = up.head.status();
    if (!document.empty())
        if (auto fault = unframe_document(up, document))
            return unusable(Stage::body, status, *fault, "a malformed answer");
    if (document.empty()) return failed_at(Stage::body, Transport::eof, status, "an empty answer");
    return std::nullopt;
}

} // namespace wm::exchange
