#pragma once
// Watches a native Chat Completions answer.
#include <watermaster/protocol/frame_reader.hpp>
#include <watermaster/transcoder.hpp>

#include <bitset>

namespace wm::openai_chat {

class Tap : public sdk::TapBase<Tap> {
  public:
    explicit Tap(const sdk::Params& params) : withhold_usage_(params.usage_by_gateway) {}

    sdk::Status document(std::string_view body, sdk::Sink& out);
    sdk::Status judge(const sdk::Frame& frame, sdk::Sink& out);
    sdk::Status end(const wm_events* error, sdk::Sink& out);

  private:
    struct Chunk;

    sdk::Status done_marker(sdk::Sink& out);
    void read_choice(sdk::json::Scan& scan, Chunk& chunk, sdk::Sink& out);
    bool every_choice_finished() const { return seen_.any() && seen_ == finished_; }

    std::bitset<128> seen_, finished_; // choices by index; the protocol allows 128
    bool withhold_usage_;
};

} // namespace wm::openai_chat
