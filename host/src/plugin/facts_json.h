#pragma once
// Facts JSON into facts.h. Unknown members are ignored: facts grow without a new ABI. Private to this folder.
#include "base/result.h"
#include "plugin/facts.h"

#include <string>
#include <string_view>

namespace wm::plugin {

// The error names the member, what was expected and what was found; the caller adds the file.
Result<AdapterFacts, std::string> parse_adapter_facts(std::string_view json);
Result<TranscoderFacts, std::string> parse_transcoder_facts(std::string_view json);

} // namespace wm::plugin
