#pragma once
// What of [server] a running process cannot change.
#include "base/result.h"
#include "config/settings.h"

namespace wm::config {

// Gives `wanted` the running values of the keys that only a restart can change, and says of each that differs:
// "file:line: [server] key: takes effect after a restart; running …; in the file …". Fails where `wanted` would then
// serve strangers: the address it asks for is loopback, the running one is not, and no client is left.
Result<std::vector<std::string>, std::string> keep_running(const Server& running, Settings& wanted);

} // namespace wm::config
