#pragma once
// Books a policy's failure: counted by cause, logged once per cause and minute.
#include "policy/policies.h"

#include <string_view>

namespace wm::policy {

enum class Cause : unsigned char { error, instructions, memory, nonsense };

// `message` says where and what; it holds no request data. [any thread]
void report(Counters& counters, const Clock& clock, Cause cause, std::string_view policy,
            std::string_view message) noexcept;

} // namespace wm::policy
