#pragma once
// plugin.ini: what a plugin's packager says of it, read before the library is touched. Private to this folder.
#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wm::plugin {

struct Manifest {
    std::string id;
    std::vector<std::string> components; // ids; without the key: just `id`
    std::vector<std::string> kinds;      // "adapter", "transcoder"
    std::string version, licence;
    std::uint16_t abi_major = 0, abi_minor = 0;
    std::string library;              // a file name beside the manifest
    std::string sha256;               // lower case hexadecimal, or empty
    std::vector<std::string> unknown; // keys of newer hosts, or misspelt ones
};

// `key = value` lines; `#` and `;` start a comment at the start of a line. The error is a complete message.
Result<Manifest, std::string> read_manifest(const std::filesystem::path& file);
Result<Manifest, std::string> parse_manifest(const std::string& file, std::string_view text);

} // namespace wm::plugin
