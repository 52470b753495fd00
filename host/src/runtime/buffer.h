#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace wm::runtime {

// Bytes in order: appended at the end, consumed at the front. Views are good until the next append or consume.
// An empty one holds no memory: a gateway has thousands of streams, and most of them wait.
class Buffer {
  public:
    std::string_view view() const { return std::string_view(data_).substr(begin_); }
    std::size_t size() const { return data_.size() - begin_; }
    bool empty() const { return begin_ == data_.size(); }
    void append(std::string_view bytes) { data_.append(bytes); }
    void consume(std::size_t n) {
        begin_ += n;
        if (empty())
            std::string().swap(data_), begin_ = 0;
        else if (begin_ >= compact_at && begin_ >= data_.size() / 2)
            data_.erase(0, begin_), begin_ = 0;
    }

  private:
    static constexpr std::size_t compact_at = 64 * 1024;
    std::string data_;
    std::size_t begin_ = 0;
};

} // namespace wm::runtime
