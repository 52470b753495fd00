#pragma once
// Where in a document a reader is: names of the protocol's members and positions, never a value. What does not fit is
// cut, as wm_error.where is.
#include "../sink.hpp"

#include <cstddef>
#include <cstring>
#include <string_view>

namespace wm::sdk {

class Path {
  public:
    // Leaves the member or element again when it goes.
    class Step {
      public:
        Step(Path& path, std::size_t length) : path_(path), length_(length) {}
        ~Step() { path_.length_ = length_; }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;

      private:
        Path& path_;
        const std::size_t length_;
    };

    [[nodiscard]] Step member(std::string_view name) {
        const std::size_t before = length_;
        if (length_) append(".");
        append(name);
        return Step(*this, before);
    }
    [[nodiscard]] Step element(std::size_t index) {
        const std::size_t before = length_;
        append("[");
        append(Decimal(index));
        append("]");
        return Step(*this, before);
    }
    std::string_view view() const { return {text_, length_}; }

  private:
    void append(std::string_view text) {
        const std::size_t n = text.size() < sizeof text_ - length_ ? text.size() : sizeof text_ - length_;
        std::memcpy(text_ + length_, text.data(), n);
        length_ += n;
    }

    char text_[127];
    std::size_t length_ = 0;
};

} // namespace wm::sdk
