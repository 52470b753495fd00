#pragma once
// From a plugin's folder to its components: manifest, file, library, entry, components, create, in this order, and
// nothing in the plugin is called before the last. Private to this folder.
#include "base/result.h"
#include "plugin/calls.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>
#include <watermaster/plugin.h>

namespace wm::plugin {

struct Components {
    std::vector<std::unique_ptr<Adapter>> adapters;
    std::vector<std::unique_ptr<Transcoder>> transcoders;
};

// `host` outlives the components. The error is one message: file, expected, found, remedy.
Result<Components, std::string> load_plugin(const std::filesystem::path& folder, const wm_host& host,
                                            std::vector<std::string>& notes);

// A folder without manifest and without libraries is no plugin at all.
bool looks_like_plugin(const std::filesystem::path& folder);

} // namespace wm::plugin
