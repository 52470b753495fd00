#pragma once
// Text to values. Each function is pure; what is wrong with a value is itself a value.
#include "base/clock.h"
#include "base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wm::config {

struct Complaint {
    std::string problem, expected; // expected may be empty
    bool show_value = true;        // false: the value may hold a secret
};

template <class T>
using Value = Result<T, Complaint>;

Value<bool> parse_bool(std::string_view text); // yes no true false on off
Value<std::uint64_t> parse_integer(std::string_view text, std::uint64_t min, std::uint64_t max);
Value<Millis> parse_duration(std::string_view text, Millis min = Millis(1)); // ms s m h, at most a year
Value<std::uint64_t> parse_size(std::string_view text, std::uint64_t min, std::uint64_t max); // B KiB MiB GiB
Value<std::string> parse_choice(std::string_view text, std::span<const std::string_view> words);
Value<std::string> parse_script_name(std::string_view text); // a-z 0-9 - _, dashes become underscores

std::string to_text(Millis duration);      // as parse_duration takes it, in the largest exact unit
std::string size_text(std::uint64_t size); // as parse_size takes it

} // namespace wm::config
