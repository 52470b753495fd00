#pragma once
#include <string>
#include <string_view>

namespace wm::policy {

// "; print is not available in a policy: …", where `message` is Lua's about something that policies do without; else
// nothing.
std::string advice(std::string_view message);

} // namespace wm::policy
