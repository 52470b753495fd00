#pragma once
#include <span>
#include <string>
#include <string_view>

namespace wm::config {

// The member of `known` that `word` was probably meant to be; empty: none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

// "; did you mean X?" or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

std::string joined(std::span<const std::string_view> words); // "a, b, c", or "none"

} // namespace wm::config
