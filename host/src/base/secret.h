#pragma once
#include <string>
#include <utility>

namespace wm {

// A string that cannot be printed by accident: no conversion, no stream operator, one visible way to read it.
class Secret {
  public:
    Secret() = default;
    explicit Secret(std::string value) : value_(std::move(value)) {}
    static Secret published(std::string value) { // used as a key, and known to everybody
        Secret key(std::move(value));
        key.published_ = true;
        return key;
    }
    const std::string& reveal() const { return value_; }
    bool empty() const { return value_.empty(); }
    bool published() const { return published_; }

  private:
    std::string value_;
    bool published_ = false;
};

} // namespace wm
