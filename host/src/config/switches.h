#pragma once
// Keys that list names to set, and names with a ! before them to withdraw.
#include "config/section_reader.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace wm::config {

using Switches = std::map<std::string, bool, std::less<>>; // true: set; false: withdrawn

// Names with commas or spaces between them. `judge` says what is wrong with one; one both set and withdrawn is
// reported.
Switches read_switches(SectionReader& in, std::string_view key,
                       const std::function<std::optional<Complaint>(std::string_view name, bool set)>& judge);

// Of these names only; another is no such `what`.
Switches read_switches(SectionReader& in, std::string_view key, std::string_view what,
                       std::span<const std::string_view> known);

} // namespace wm::config
