#pragma once
// Judges an entry table and its components; calls nothing in the plugin. Private to this folder.
#include "base/result.h"
#include "plugin/facts.h"
#include "plugin/manifest.h"

#include <string>
#include <variant>
#include <vector>
#include <watermaster/plugin.h>

namespace wm::plugin {

struct Judged {
    const wm_component* component;
    std::variant<AdapterFacts, TranscoderFacts> facts;
};

// The components this host can use, each complete, or the message that refuses the plugin. Components of unknown
// interfaces are skipped with a note.
Result<std::vector<Judged>, std::string> judge_entry(const std::string& file, const wm_plugin_entry& entry,
                                                     const Manifest& manifest, std::vector<std::string>& notes);

} // namespace wm::plugin
