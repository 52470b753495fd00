#pragma once
// What tests give to a plugin and get from it, as C++ values.
#include <watermaster/bytes.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wm::sdk::testing {

// A plugin that cannot be driven, or a promise it broke. Thrown, so that any test framework reports it.
struct Broken : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using TextPairs = std::vector<std::pair<std::string, std::string>>;

// How a call went: its status, and what wm_error said.
struct Outcome {
    wm_status status = WM_OK;
    std::string where, message;

    bool ok() const { return status == WM_OK; }
};

// Raw pairs of settings, headers or query members, for the length of a call. The argument must outlive it.
class PairArray {
  public:
    explicit PairArray(const TextPairs& pairs) {
        for (const auto& [name, value] : pairs) items_.push_back({bytes(name), bytes(value)});
    }
    explicit PairArray(TextPairs&&) = delete;
    wm_pairs raw() const { return {items_.data(), static_cast<std::uint32_t>(items_.size()), 0}; }

  private:
    std::vector<wm_pair> items_;
};

class Error {
  public:
    Error() { raw_.size = sizeof raw_; }
    wm_error* raw() { return &raw_; }
    Outcome outcome(wm_status status) const { return {status, raw_.where, raw_.message}; }

  private:
    wm_error raw_{};
};

inline wm_event event(std::uint32_t tag, std::string_view name = {}, std::string_view value = {},
                      std::uint32_t node = 1) {
    return {tag, node, 0, 0, bytes(name), bytes(value)};
}

// An ERROR tree, as the host hands it to write_error and tap_end. Its texts must outlive it.
std::vector<wm_event> error_tree(std::string_view type, std::string_view status, std::string_view message,
                                 std::string_view raw_code = {}, std::string_view raw_param = {});

} // namespace wm::sdk::testing
