#pragma once
// Calls such as requests make, for a script whose answers nobody has written down: it must answer each of them.
#include "policy/spec_cases.h"

#include <string>
#include <string_view>
#include <vector>

namespace wm::policy {

struct Probe {
    std::string text; // the call, as somebody would write it
    Given given;
};

std::vector<Probe> probes(std::string_view policy);

} // namespace wm::policy
