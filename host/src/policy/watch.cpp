#include "policy/watch.h"

#include <sys/stat.h>

namespace wm::policy {

Watch::Watch(std::vector<std::filesystem::path> files) : files_(std::move(files)), known_(look()), last_(known_) {}

std::vector<Watch::Stamp> Watch::look() const {
    constexpr std::int64_t second = 1'000'000'000;
    std::vector<Stamp> stamps;
    stamps.reserve(files_.size());
    for (const auto& file : files_) {
        struct stat info {};
        auto& stamp = stamps.emplace_back();
        if (stat(file.c_str(), &info) == 0)
            stamp = {std::int64_t(info.st_dev), std::int64_t(info.st_ino), info.st_size,
                     info.st_mtim.tv_sec * second + info.st_mtim.tv_nsec,
                     info.st_ctim.tv_sec * second + info.st_ctim.tv_nsec};
    }
    return stamps;
}

bool Watch::edited() {
    auto now = look();
    const bool rested = now == last_;
    last_ = std::move(now);
    if (!rested || last_ == known_) return false;
    known_ = last_;
    return true;
}

} // namespace wm::policy
