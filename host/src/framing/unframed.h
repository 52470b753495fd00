#pragma once
// The framings that are none: a whole document, and bytes that their reader cuts.
#include "framing/framer.h"
#include "framing/pending_bytes.h"

namespace wm::framing {

// All of the stream is one frame, at its end.
class DocumentFramer final : public Framer {
  public:
    explicit DocumentFramer(std::size_t max_frame) : max_frame_(max_frame) {}

    void feed(std::string_view bytes) override {
        if (problem_.empty()) pending_.add(bytes);
        if (pending_.size() > max_frame_) problem_ = "a document above the bound of a frame";
    }
    bool next(Frame&) override { return false; }
    bool finish(Frame& frame) override {
        if (!problem_.empty() || pending_.size() == 0) return false;
        frame = {};
        frame.data = pending_.use(pending_.size());
        return true;
    }
    std::size_t held() const override { return pending_.size(); }
    std::string_view problem() const override { return problem_; }

  private:
    const std::size_t max_frame_;
    PendingBytes pending_;
    std::string_view problem_;
};

// What has come is a frame.
class RawFramer final : public Framer {
  public:
    void feed(std::string_view bytes) override { pending_.add(bytes); }
    bool next(Frame& frame) override {
        if (pending_.size() == 0) return false;
        frame = {};
        frame.raw = frame.data = pending_.use(pending_.size());
        return true;
    }
    bool finish(Frame& frame) override { return next(frame); }
    std::size_t held() const override { return pending_.size(); }

  private:
    PendingBytes pending_;
};

} // namespace wm::framing
