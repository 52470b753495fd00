#pragma once
// Amazon's binary event stream: messages of a prelude (lengths and their CRC), headers, a payload and the CRC of all of
// it. A frame's name is its `:event-type`, `:exception-type` or `:error-code`, its data the payload; of an error
// without one the `:error-message`.
#include "framing/framer.h"
#include "framing/pending_bytes.h"

#include <cstdint>

namespace wm::framing {

class AwsEventstreamFramer final : public Framer {
  public:
    explicit AwsEventstreamFramer(std::size_t max_frame) : max_frame_(max_frame) {}

    void feed(std::string_view bytes) override { pending_.add(bytes); }
    bool next(Frame& frame) override;
    bool finish(Frame& frame) override; // never a frame; a message that was begun is a problem
    std::size_t held() const override { return pending_.size(); }
    std::string_view problem() const override { return problem_; }

  private:
    bool read_prelude();
    bool read_message(std::string_view message, Frame& frame);
    bool read_headers(std::string_view headers, Frame& frame);

    const std::size_t max_frame_;
    PendingBytes pending_;
    std::uint32_t total_ = 0, headers_ = 0; // of the message begun; total_ 0: its prelude has not been read
    std::string_view problem_;
};

} // namespace wm::framing
