#pragma once
// Ids of the calls in one answer. One that the upstream left out, or said twice, is made from the exchange, so that
// each result finds its call.
#include "held.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

namespace wm::sdk {

class CallIds {
  public:
    explicit CallIds(Held& held) : weight_(held, 0) {}

    // `prefix`: what ids of the protocol begin with.
    std::string take(std::string_view said, std::string_view prefix, std::string_view exchange) {
        std::string id(said);
        if (id.empty() || taken_.count(id))
            for (next_ = std::max(next_, taken_.size()); id.empty() || taken_.count(id); ++next_)
                id.assign(prefix).append(exchange).append("_").append(std::to_string(next_));
        weight_.add(id.size() + each);
        taken_.insert(id);
        return id;
    }
    bool any() const { return !taken_.empty(); }

  private:
    static constexpr std::size_t each = sizeof(std::string) + 4 * sizeof(void*); // what one costs beside its bytes

    Held::Share weight_;
    std::unordered_set<std::string> taken_;
    std::size_t next_ = 0; // never one before it: an upstream may have said what would be made
};

} // namespace wm::sdk
