#pragma once
// From a configuration file to everything a gateway needs, or all the reasons why not.
#include "base/clock.h"
#include "config/load.h"
#include "exchange/site.h"
#include "plugin/registry.h"

#include <filesystem>
#include <memory>

namespace wm::app {

struct Assembly {
    std::shared_ptr<const config::Settings> settings;
    std::shared_ptr<const policy::Library> library;
};

// Loads plugins into `registry`, then reads the rest of the file with what they say of themselves, then the policies.
Result<Assembly, config::Problems> assemble(const std::filesystem::path& file, const config::Overrides& overrides,
                                            plugin::Registry& registry);

// --config, else WATERMASTER_CONFIG, else ./watermaster.ini, else /etc/watermaster/watermaster.ini.
// The failure: there is none, and how to name one.
Result<std::filesystem::path, std::string> configuration_file(const std::string& option);

} // namespace wm::app
