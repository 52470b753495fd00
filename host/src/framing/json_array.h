#pragma once
// One JSON array, whose elements are the frames. Elements are told apart, not checked: that is for who reads them.
#include "framing/framer.h"
#include "framing/pending_bytes.h"

#include <cstdint>

namespace wm::framing {

class JsonArrayFramer final : public Framer {
  public:
    explicit JsonArrayFramer(std::size_t max_frame) : max_frame_(max_frame) {}

    void feed(std::string_view bytes) override { pending_.add(bytes); }
    bool next(Frame& frame) override;
    bool finish(Frame& frame) override; // never a frame; an element that was begun is a problem
    std::size_t held() const override { return pending_.size(); }
    std::string_view problem() const override { return problem_; }

  private:
    enum class Expects : unsigned char { array, first, element, comma, nothing }; // first: or the array's end
    bool between();
    bool element_ends(char c);

    const std::size_t max_frame_;
    PendingBytes pending_;
    std::size_t read_ = 0;    // bytes of pending_ that belong to the element begun
    std::uint64_t depth_ = 0; // of the element's open objects and arrays
    Expects expects_ = Expects::array;
    bool inside_ = false; // an element has begun
    bool string_ = false, escaped_ = false;
    std::string_view problem_;
};

} // namespace wm::framing
