#pragma once
// Watches a native Chat Completions answer.
#include <watermaster/protocol/error_report.hpp>
#include <watermaster/transcoder.hpp>

#include <bitset>

namespace wm::openai_chat {

class Tap {
  public:
    explicit Tap(const sdk::Params& params) : withhold_usage_(params.usage_by_gateway) {}

    sdk::Status frame(const sdk::Frame& frame, sdk::Sink& out);
    sdk::Status end(const wm_events* error, sdk::Sink& out);

  private:
    struct Chunk;

    sdk::Status stream_frame(const sdk::Frame& frame, sdk::Sink& out);
    sdk::Status document(std::string_view body, sdk::Sink& out);
    sdk::Status done_marker(sdk::Sink& out);
    sdk::Status fail(const sdk::ErrorReport& error, sdk::Sink& out);
    void read_choice(sdk::json::Scan& scan, Chunk& chunk);
    bool every_choice_finished() const { return seen_.any() && seen_ == finished_; }

    std::bitset<128> seen_, finished_; // choices by index; the protocol allows 128
    std::uint32_t nodes_ = 0;
    bool withhold_usage_;
    bool done_ = false, failed_ = false;
};

} // namespace wm::openai_chat
