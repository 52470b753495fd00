#pragma once
// Opens shared objects. They stay for the life of the process. Private to this folder.
#include "base/result.h"

#include <filesystem>
#include <string>
#include <watermaster/plugin.h>

namespace wm::plugin {

// The entry table of the library at an absolute path, or a message. Static constructors of the library run here;
// nothing else of it does. One thread at a time.
Result<const wm_plugin_entry*, std::string> open_library(const std::filesystem::path& file);

} // namespace wm::plugin
