#pragma once
// The dynamic symbols of a shared object.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wm::check {

// The names it defines for others, sorted; nothing when it is no 64-bit ELF file of this machine's byte order.
std::optional<std::vector<std::string>> exported_symbols(const std::filesystem::path& file);

} // namespace wm::check
