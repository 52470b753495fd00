// The little JSON writing the mock needs.
#pragma once
#include <string>
#include <string_view>

namespace wm::mock {

// `text` as a JSON string, quotes included.
std::string quoted(std::string_view text);

} // namespace wm::mock
