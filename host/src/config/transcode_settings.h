#pragma once
// What a configuration says of translation, on served models and mounts alike.
#include "plugin/calls.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace wm::config {

// What each protocol's upstreams take and clients are shown, as one section sets it.
class Capabilities {
  public:
    // Null: the section says nothing of them, and the protocol's own defaults hold.
    const plugin::TalkOptions* of(const plugin::Transcoder& protocol) const {
        for (const auto& [bound_to, options] : bound_)
            if (bound_to == &protocol) return options.get();
        return nullptr;
    }
    void add(const plugin::Transcoder& protocol, std::shared_ptr<const plugin::TalkOptions> options) {
        bound_.emplace_back(&protocol, std::move(options));
    }

  private:
    std::vector<std::pair<const plugin::Transcoder*, std::shared_ptr<const plugin::TalkOptions>>> bound_;
};

// How much a translation may hold and make.
struct TranscodeBounds {
    std::uint64_t response = 10u << 20; // transcode_max_response: a whole answer, as it comes and as it goes
    std::uint64_t frame = 2u << 20;     // transcode_max_frame: one event of a stream, as it comes and as it goes
    std::uint64_t batch = 8u << 20;     // transcode_max_batch: all events that one of the upstream's becomes
    std::uint64_t held = 1u << 20;      // transcode_max_held: of a stream, by each side
    std::uint64_t error_message = 512;  // transcode_max_error_message: of a provider's words
};

} // namespace wm::config
