#pragma once
// Notices that files were edited, by looking: it works on every file system, and sees an editor that renames a new file
// over the old one, a folder that is exchanged behind a symbolic link, and a file that appears or goes.
#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace wm::policy {

class Watch {
  public:
    explicit Watch(std::vector<std::filesystem::path> files); // what they are now is not news

    // Whether something has changed and then rested since the look before: somebody may still be writing. Says so
    // once. To be called at a steady pace; a look is one stat(2) a file.
    bool edited();

  private:
    using Stamp = std::array<std::int64_t, 5>; // device, inode, size, both times in ns; zeros: no file
    std::vector<Stamp> look() const;

    std::vector<std::filesystem::path> files_;
    std::vector<Stamp> known_, last_;
};

} // namespace wm::policy
