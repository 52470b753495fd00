#pragma once
// The names of what a request lost, as its client knows them.
#include "plugin/facts.h"

#include <string>
#include <string_view>

namespace wm::translate {

// `path` is in the vocabulary's words, dots between; the longest beginning that the protocol spells otherwise is
// replaced.
std::string spelled(const plugin::TranscoderFacts& protocol, std::string_view key, std::string_view path);

} // namespace wm::translate
