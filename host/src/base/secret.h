#pragma once
#include <string>
#include <utility>

namespace wm {

// A string that cannot be printed by accident: no conversion, no stream operator, one visible way to read it.
class Secret {
  public:
    Secret() = default;
    explicit Secret(std::string value) : value_(std::move(value)) {}
    const std::string& reveal() const { return value_; }
    bool empty() const { return value_.empty(); }

  private:
    std::string value_;
};

} // namespace wm
