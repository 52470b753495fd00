#pragma once
// Edits of a JSON body that leave every other byte as it was.
#include "base/pair.h"

#include <span>
#include <string>
#include <string_view>

namespace wm::plugin {

// Sets top-level members to raw JSON values or, where the value is empty, removes them. Names are compared unescaped;
// a member that stands several times is set once and else removed, so that no parser can find the old value. The last
// edit of a name wins. A body that is no JSON object is returned as it is: its protocol has no members to edit.
std::string apply_members(std::string_view body, std::span<const Pair> edits);

} // namespace wm::plugin
