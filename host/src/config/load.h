#pragma once
#include "base/result.h"
#include "config/settings.h"

namespace wm::plugin {
class Registry;
}

namespace wm::config {

// What must be known before the rest can be judged: the folders of plugins and policies and the log level.
struct Preamble {
    std::filesystem::path plugins, policies;
    std::string log;
};

// What the command line says instead of the file. Relative paths are relative to the working directory.
struct Overrides {
    std::optional<std::filesystem::path> plugins, policies;
    std::optional<std::string> listen;
};

// Fails only if one of these three, or the file itself, cannot be read; `load` judges the rest.
Result<Preamble, Problems> load_preamble(const std::filesystem::path& file, const Overrides& overrides = {});

// Reads and judges the whole file. All problems at once, in file order. [start and reload; blocks on small files]
// Reads WATERMASTER_DATA_DIR, WATERMASTER_LOG and the variables that `env:` secrets name.
Result<std::shared_ptr<const Settings>, Problems>
load(const std::filesystem::path& file, const plugin::Registry& plugins, const Overrides& overrides = {});

// Reachable from other machines while nobody has to say who they are.
bool exposed(const Settings& settings);

} // namespace wm::config
