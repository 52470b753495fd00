#pragma once
// Golden streams and documents, and what a tap says of them as text.
#include "harness.h"

#include <string>
#include <vector>

namespace wm::test {

std::string read_file(const std::string& path);
std::vector<std::string> golden_files(const std::string& protocol); // answers: *.sse and *.json, sorted

// One line per frame, and one for the end.
std::string account(const Transcoder& transcoder, const std::string& path);

} // namespace wm::test
