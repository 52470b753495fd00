#include "translate/spelling.h"

#include <watermaster/words.h>

namespace wm::translate {

namespace {

bool begins_with(std::string_view path, std::string_view word) {
    return path.starts_with(word) && (path.size() == word.size() || path[word.size()] == '.');
}

} // namespace

std::string spelled(const plugin::TranscoderFacts& protocol, std::string_view key, std::string_view path) {
    const plugin::Spelling* best = nullptr;
    // A member nobody knows is in the client's words already, but for what it stands in.
    const bool own = key == WM_LOSS_EXTENSION_MEMBERS && path.find('.') == path.npos;
    if (!own)
        for (const auto& one : protocol.spellings)
            if (begins_with(path, one.word) && (!best || one.word.size() > best->word.size())) best = &one;
    return best ? best->member + std::string(path.substr(best->word.size())) : std::string(path);
}

} // namespace wm::translate
