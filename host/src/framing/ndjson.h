#pragma once
// JSON texts, one a line; blank lines between them say nothing.
#include "framing/framer.h"
#include "framing/pending_bytes.h"

namespace wm::framing {

class NdjsonFramer final : public Framer {
  public:
    explicit NdjsonFramer(std::size_t max_frame) : max_frame_(max_frame) {}

    void feed(std::string_view bytes) override { pending_.add(bytes); }
    bool next(Frame& frame) override;
    bool finish(Frame& frame) override; // the last line may lack its end
    std::size_t held() const override { return pending_.size(); }
    std::string_view problem() const override { return problem_; }

  private:
    bool give(std::string_view line, Frame& frame);

    const std::size_t max_frame_;
    PendingBytes pending_;
    std::size_t searched_ = 0; // no line end in so many bytes of pending_
    std::string_view problem_;
};

} // namespace wm::framing
