#include "plugin_folder.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace fs = std::filesystem;

PluginFolder::PluginFolder() {
    std::string name = (fs::temp_directory_path() / "wm-plugins-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = fs::canonical(name);
}

PluginFolder::~PluginFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

fs::path PluginFolder::install(const std::string& name, const std::string& more, const std::string& as) {
    write(fs::path(as) / "plugin.ini", manifest_of(name + ".so") + more);
    const fs::path library = path_ / as / (name + ".so");
    fs::copy_file(fs::path(WM_FIXTURES) / (name + ".so"), library);
    fs::permissions(library, fs::perms(0644));
    return library;
}

void PluginFolder::write(const fs::path& relative, const std::string& text) {
    fs::create_directories((path_ / relative).parent_path());
    std::ofstream(path_ / relative) << text;
}

std::string manifest_of(const std::string& library) {
    return "id = bad\nkind = transcoder\nversion = 1.0\nabi = 1.0\nlicence = none\nlibrary = " + library + "\n";
}
