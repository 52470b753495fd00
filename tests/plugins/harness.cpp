#include "harness.h"

#include <ctime>
#include <map>

namespace wm::test {

const sdk::testing::PluginFile& shipped(const std::string& plugin) {
    static std::map<std::string, sdk::testing::PluginFile> opened;
    return opened.try_emplace(plugin, WM_PLUGINS "/" + plugin + "/" + plugin + ".so").first->second;
}

std::chrono::nanoseconds cpu_time() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

} // namespace wm::test
