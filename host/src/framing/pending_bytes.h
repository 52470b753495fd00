#pragma once
// The bytes of a stream that are not used yet. Private to this folder.
#include <string>
#include <string_view>

namespace wm::framing {

class PendingBytes {
  public:
    // A stream waits for its next frame most of its life, and holds no memory of the last one meanwhile.
    void add(std::string_view bytes) {
        if (used_ == bytes_.size())
            std::string().swap(bytes_);
        else
            bytes_.erase(0, used_);
        used_ = 0;
        bytes_.append(bytes);
    }
    std::string_view view() const { return std::string_view(bytes_).substr(used_); }
    std::size_t size() const { return bytes_.size() - used_; }
    // What is used stays where it is until more is added.
    std::string_view use(std::size_t count) {
        const auto taken = view().substr(0, count);
        used_ += taken.size();
        return taken;
    }

  private:
    std::string bytes_;
    std::size_t used_ = 0;
};

} // namespace wm::framing
