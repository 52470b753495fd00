#pragma once
// Ids of the calls in one answer. One that the upstream left out, or said twice, is made from the exchange, so that
// each result finds its call.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace wm::sdk {

class CallIds {
  public:
    // `prefix`: what ids of the protocol begin with.
    std::string take(std::string_view said, std::string_view prefix, std::string_view exchange) {
        std::string id(said);
        if (id.empty() || std::find(taken_.begin(), taken_.end(), id) != taken_.end())
            id.assign(prefix).append(exchange).append("_").append(std::to_string(taken_.size()));
        taken_.push_back(id);
        return id;
    }
    bool any() const { return !taken_.empty(); }

  private:
    std::vector<std::string> taken_;
};

} // namespace wm::sdk
