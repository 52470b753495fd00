#pragma once
// Is the library's file complete? The dynamic loader maps what its headers promise, and the process ends with a bus
// error where the file does not go as far: a copy that was cut short must be found before. Private to this folder.
#include <filesystem>
#include <optional>
#include <string>

namespace wm::plugin {

// Nothing, or the message that refuses it.
std::optional<std::string> cut_short(const std::filesystem::path& file);

} // namespace wm::plugin
