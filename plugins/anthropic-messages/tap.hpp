#pragma once
// Watches a native Messages answer.
#include <watermaster/protocol/frame_reader.hpp>
#include <watermaster/transcoder.hpp>

#include <optional>

namespace wm::anthropic_messages {

// Anthropic counts cached input beside the input; USAGE counts it inside. Snapshots are cumulative: a member that is
// there replaces the one before, one that is absent or null does not.
class UsageSnapshot {
  public:
    void take(sdk::json::Scan& scan, sdk::Sink& out);

  private:
    std::optional<std::uint64_t> input_, cache_read_, cache_write_;
};

class Tap : public sdk::TapBase<Tap> {
  public:
    explicit Tap(const sdk::Params&) {}

    sdk::Status document(std::string_view body, sdk::Sink& out);
    sdk::Status judge(const sdk::Frame& frame, sdk::Sink& out);
    sdk::Status end(const wm_events* error, sdk::Sink& out);

  private:
    UsageSnapshot usage_;
    bool stop_reason_ = false;
};

} // namespace wm::anthropic_messages
