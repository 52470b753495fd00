#pragma once
// Small questions about raw JSON values. Private to this folder.
#include <string>
#include <string_view>

namespace wm::plugin {

// The text of a JSON string; of null the empty text; any other value as it is written.
std::string json_text(std::string_view raw);

// Is it exactly one JSON value?
bool is_json_value(std::string_view raw);

} // namespace wm::plugin
