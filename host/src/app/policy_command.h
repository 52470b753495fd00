#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace wm::app {

// `watermaster policy test|check|bench [FILE...]`, on standard output. `folder` holds the policies; a FILE's own folder
// goes before it. Without a FILE: every case table, or every script, of `folder`.
// Exit status: 0, 1 if faults were found, 2 for wrong usage, which standard error explains.
int policy_command(const std::vector<std::string>& arguments, const std::filesystem::path& folder);

} // namespace wm::app
