#pragma once
// Server-sent events: cuts a stream into events without changing a byte of it.
#include "framing/framer.h"

#include <string>

namespace wm::framing {

// An event is given as soon as its blank line is there, also when that line's CR is the last byte so far; an LF that
// follows then begins the next raw span. Blank lines before an event belong to its raw span.
class SseFramer final : public Framer {
  public:
    static constexpr std::size_t most = 2u << 20; // bytes of an event
    explicit SseFramer(std::size_t max_event = most) : max_event_(max_event) {}

    void feed(std::string_view bytes) override;
    bool next(Frame& event) override;
    bool finish(Frame& event) override;
    std::size_t held() const override { return buffer_.size() - start_; }

  private:
    enum class Line : unsigned char { none, blank, text };
    Line next_line(std::string_view& line);
    void read_line(std::string_view line);
    bool pass_on(Frame& event);
    std::string_view take_raw(std::size_t end);
    void drop_used();

    const std::size_t max_event_;
    std::string buffer_;
    std::string name_, data_;
    std::size_t start_ = 0; // of the event being read
    std::size_t at_ = 0;    // of the line being read
    std::size_t no_cr_ = 0; // no CR in that line before this
    std::size_t no_lf_ = 0; // no LF in that line before this
    bool first_ = true;     // a byte order mark may come
    bool after_cr_ = false; // an LF now belongs to the line end before it
    bool content_ = false;  // the event has a line that is not blank
    bool has_data_ = false;
    bool given_ = false;     // name_ and data_ are the caller's until the next call
    bool oversized_ = false; // the event is being passed on unread
    bool mid_line_ = false;  // ... and the beginning of the line at at_ was
};

// Appends one event; data is split at line ends. An empty name writes no `event` line.
void append_sse(std::string& out, std::string_view name, std::string_view data);

} // namespace wm::framing
