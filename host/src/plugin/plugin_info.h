#pragma once
// What is shown of a loaded plugin.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wm::plugin {

struct PluginInfo {
    std::string name, version; // of its manifest
    std::uint16_t abi_major = 0, abi_minor = 0;
    std::filesystem::path file;          // the library
    std::vector<std::string> components; // ids
};

} // namespace wm::plugin
