#pragma once
// Runs one case in a child process: what the plugin does to that process, crash, hang or exit, is a finding.
#include "finding.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace wm::check {

// The findings of `body`. `name`: of the case, for messages. The child is killed after `limit`.
std::vector<std::string> run_in_child(const std::string& name, std::chrono::seconds limit,
                                      const std::function<void(Trial&)>& body);

} // namespace wm::check
