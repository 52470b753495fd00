#pragma once
// Which kinds of sections have which keys: learned from the readers as they ask, so that there is no list to keep.
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wm::config {

class Keys {
  public:
    void learn(std::string_view kind, std::span<const std::string> keys) {
        of_[std::string(kind)].insert(keys.begin(), keys.end());
    }

    // "[backend], [mount]"; empty: no section but those of `kind` has it.
    std::string others_with(std::string_view key, std::string_view kind) const {
        std::string out;
        for (const auto& [other, keys] : of_)
            if (other != kind && keys.contains(key)) out.append(out.empty() ? "[" : ", [").append(other).append("]");
        return out;
    }

  private:
    std::map<std::string, std::set<std::string, std::less<>>> of_;
};

} // namespace wm::config
