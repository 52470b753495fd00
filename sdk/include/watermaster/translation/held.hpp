#pragma once
// The bytes that a reader or writer of answers holds, counted as they come and go: what an upstream has said and what
// is still needed of it. TalkOf::fits() bounds them.
#include <cstddef>
#include <utility>

namespace wm::sdk {

class Held {
  public:
    Held() = default;
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

    std::size_t bytes() const { return bytes_; }

    // Of one thing: what it weighs, until it goes.
    class Share {
      public:
        Share(Held& of, std::size_t bytes) : of_(&of) { add(bytes); }
        Share(Share&& other) noexcept : of_(other.of_), bytes_(std::exchange(other.bytes_, 0)) {}
        Share& operator=(Share&& other) noexcept {
            std::swap(of_, other.of_);
            std::swap(bytes_, other.bytes_);
            return *this;
        }
        ~Share() { of_->bytes_ -= bytes_; }

        void add(std::size_t bytes) {
            bytes_ += bytes;
            of_->bytes_ += bytes;
        }
        void drop(std::size_t bytes) { // of what was added
            bytes_ -= bytes;
            of_->bytes_ -= bytes;
        }

      private:
        Held* of_;
        std::size_t bytes_ = 0;
    };

  private:
    std::size_t bytes_ = 0;
};

} // namespace wm::sdk
