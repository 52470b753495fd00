#pragma once
// May this file be loaded into the process? Plugins are trusted code: only root or the process's own user may be able
// to write them. Private to this folder.
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

namespace wm::plugin {

constexpr bool trusted_owner(uid_t owner, uid_t self) { return owner == 0 || owner == self; }
constexpr bool trusted_mode(mode_t mode) { return (mode & 0022) == 0; }

// Nothing, or the message that refuses it. `sha256`: lower case, or empty for no check.
std::optional<std::string> file_problem(const std::filesystem::path& file, const std::string& sha256);

} // namespace wm::plugin
