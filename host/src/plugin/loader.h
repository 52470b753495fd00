#pragma once
// From a plugin's folder to its components: manifest, file, library, entry, components, create, in this order, and
// nothing in the plugin is called before the last. For this folder and for the SDK's check of built plugins.
#include "base/result.h"
#include "plugin/calls.h"
#include "plugin/entry.h"
#include "plugin/plugin_info.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>
#include <watermaster/plugin.h>

namespace wm::plugin {

struct Components {
    PluginInfo about;
    std::vector<std::unique_ptr<Adapter>> adapters;
    std::vector<std::unique_ptr<Transcoder>> transcoders;
};

struct JudgedPlugin {
    PluginInfo about;
    std::vector<Judged> components;
};

// All but `create`: the library is open, and static constructors are all that has run of it.
Result<JudgedPlugin, std::string> judge_plugin(const std::filesystem::path& folder, std::vector<std::string>& notes);

// `host` outlives the components.
Result<Components, std::string> create_components(JudgedPlugin plugin, const wm_host& host);

// Both. The error is one message: file, expected, found, remedy.
Result<Components, std::string> load_plugin(const std::filesystem::path& folder, const wm_host& host,
                                            std::vector<std::string>& notes);

// A folder without manifest and without libraries is no plugin at all.
bool looks_like_plugin(const std::filesystem::path& folder);

} // namespace wm::plugin
