#include "tool_use_ids.hpp"

#include <algorithm>

namespace wm::anthropic_messages {

namespace {

std::string legal(std::string_view said) {
    std::string out(said);
    for (char& c : out)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'))
            c = '_';
    return out;
}

} // namespace

std::string ToolUseIds::call(std::string_view said) {
    const std::string base = legal(said);
    std::string id = base;
    for (unsigned& times = taken_[base]; times++ > 0;) {
        id = base + "_" + std::to_string(times);
        if (taken_.emplace(id, 1).second) break;
    }
    Calls& calls = calls_[std::string(said)];
    if (calls.turn != turn_) calls = {turn_};
    calls.ids.push_back(id);
    return id;
}

std::string ToolUseIds::result(std::string_view said) {
    const auto found = calls_.find(said);
    if (found == calls_.end() || found->second.ids.empty()) return legal(said);
    Calls& calls = found->second;
    return calls.ids[std::min(calls.answered++, calls.ids.size() - 1)];
}

} // namespace wm::anthropic_messages
