#pragma once
#include "explain/explain.h"

#include <string>

namespace wm::explain {

std::string to_json(const Explanation& explanation, const config::Settings& settings); // one document, no line end
std::string to_text(const Explanation& explanation, const config::Settings& settings); // lines for people

} // namespace wm::explain
