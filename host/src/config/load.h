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
Result<Preamble, Problems> load_preamble(const std::filesystem::path& file);

// Reads and judges the whole file. All problems at once, in file order.
Result<std::shared_ptr<const Settings>, Problems> load(const std::filesystem::path& file, const plugin::Registry& plugins);

} // namespace wm::config
