#pragma once
#include <string>
#include <string_view>

namespace wm::anthropic_messages {

// `schema` without anyOf, oneOf and allOf at its root, the properties of their branches among its own; `joined` says
// that there were any. Elsewhere every byte stays.
std::string without_choices(std::string_view schema, bool& joined);

} // namespace wm::anthropic_messages
