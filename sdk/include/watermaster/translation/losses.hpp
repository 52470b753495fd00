#pragma once
// What a writer could not carry, told once for each key and path.
#include "../sink.hpp"
#include "../words.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace wm::sdk {

class Losses {
  public:
    // After a refusal the sink says so, and the writer returns what it says.
    void loss(Sink& out, std::string_view key, std::string_view path) { tell(out, WM_EV_LOSS, key, path); }
    // A rewrite that keeps the meaning.
    void note(Sink& out, std::string_view key, std::string_view path) { tell(out, WM_EV_NOTE, key, path); }

  private:
    void tell(Sink& out, std::uint32_t tag, std::string_view key, std::string_view path) {
        std::string both(key);
        both.append("\n").append(path);
        if (std::find(told_.begin(), told_.end(), both) != told_.end()) return;
        if (told_.size() < most) // beyond it they are told again and again, but nothing is kept
            told_.push_back(std::move(both));
        out.put(tag, key, path);
    }

    static constexpr std::size_t most = 64;
    std::vector<std::string> told_;
};

} // namespace wm::sdk
