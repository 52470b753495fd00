#pragma once
// The splitter: bytes to frames as the host frames `text/event-stream`, however the network cut them.
#include <string>
#include <string_view>
#include <vector>

namespace wm::sdk::testing {

struct SseFrame {
    std::string name, data;
    bool operator==(const SseFrame&) const = default;
};

class SseFrames {
  public:
    // The frames completed by these bytes. Lines end with LF, CR LF or CR; comments and events without data are
    // dropped.
    std::vector<SseFrame> feed(std::string_view bytes);

  private:
    void take_line(std::vector<SseFrame>& out);

    std::string line_;
    SseFrame frame_;
    bool any_data_ = false, after_cr_ = false;
};

// The frames of a whole stream.
std::vector<SseFrame> sse_frames(std::string_view stream);

// Calls f(first, second) for every way of cutting `bytes` in two, the ends included.
template <class F>
void every_split(std::string_view bytes, F&& f) {
    for (std::size_t at = 0; at <= bytes.size(); ++at) f(bytes.substr(0, at), bytes.substr(at));
}

} // namespace wm::sdk::testing
