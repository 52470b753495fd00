#include "plugin/library.h"

#include "plugin/refusal.h"

#include <boost/dll/shared_library.hpp>
#include <vector>

namespace wm::plugin {

namespace {

// Unloading code that a handle, a thread or an exit handler may still use is never worth it.
std::vector<boost::dll::shared_library>& kept() {
    static auto& libraries = *new std::vector<boost::dll::shared_library>;
    return libraries;
}

} // namespace

Result<const wm_plugin_entry*, std::string> open_library(const std::filesystem::path& file) {
    using boost::dll::load_mode::rtld_local;
    using boost::dll::load_mode::rtld_now;
    try {
        auto& library = kept().emplace_back(file, rtld_now | rtld_local);
        if (!library.has(WM_PLUGIN_ENTRY_SYMBOL))
            return Failure{refusal(file.string(), "the exported data symbol " WM_PLUGIN_ENTRY_SYMBOL, "no such symbol",
                                   "build the plugin with wm_add_plugin and define its entry table")};
        return &library.get<const wm_plugin_entry>(WM_PLUGIN_ENTRY_SYMBOL);
    } catch (const std::exception& problem) {
        return Failure{refusal(file.string(), "a shared object that loads", printable(problem.what(), 400),
                               "install what it needs, or a build for this system")};
    }
}

} // namespace wm::plugin
