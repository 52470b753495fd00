#pragma once
// What a translation could not carry, each key and path once.
#include <string>
#include <string_view>
#include <vector>

namespace wm::translate {

struct Loss {
    std::string key, path; // of the registry (watermaster/translation/loss_keys.hpp), and the member without its value
    bool note = false;     // rewritten, and nothing lost
};

class Losses {
  public:
    // False: it was known, or too many are.
    bool add(std::string_view key, std::string_view path, bool note);
    const std::vector<Loss>& all() const { return all_; }
    bool empty() const { return all_.empty(); }
    void clear() { all_.clear(), more_ = 0; }

    // `key=path, key=path`: without notes, fit for a header field, at most 1 KiB. Empty: nothing was lost.
    std::string text() const;

  private:
    std::vector<Loss> all_;
    std::size_t more_ = 0; // that were not kept
};

} // namespace wm::translate
