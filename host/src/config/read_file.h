#pragma once
#include "base/result.h"

#include <filesystem>
#include <string>

namespace wm::config {

struct FileText {
    std::string text;
    bool readable_by_others = false; // by group or others
};

// The whole of a small file. The error is what the system said, or that it is longer than `max_bytes`.
Result<FileText, std::string> read_file(const std::filesystem::path& file, std::size_t max_bytes);

} // namespace wm::config
