#pragma once
// Watches a native Responses answer, and remembers what it takes to end it as a failed one.
#include "response_object.hpp"

#include <watermaster/protocol/frame_reader.hpp>
#include <watermaster/transcoder.hpp>

#include <string>

namespace wm::openai_responses {

class Tap : public sdk::TapBase<Tap> {
  public:
    explicit Tap(const sdk::Params& params);

    sdk::Status document(std::string_view body, sdk::Sink& out);
    sdk::Status judge(const sdk::Frame& frame, sdk::Sink& out);
    sdk::Status end(const wm_events* error, sdk::Sink& out);

  private:
    struct Event;

    void read_response(std::string_view raw, Event& event, sdk::Sink& out);
    void remember(const Event& event, sdk::Sink& out);
    void put_output_pins(const sdk::json::Value& output, sdk::Sink& out);
    void close_frame(std::string_view type, const ResponseObject& response, std::uint32_t flags, sdk::Sink& out);

    std::string id_, model_, created_at_; // raw JSON, of the upstream once it said them
    std::uint64_t next_sequence_ = 0;
    bool created_ = false, item_done_ = false;
};

} // namespace wm::openai_responses
