#pragma once
// What neither a request nor a plugin may get past the host.
#include "plugin/facts.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wm::plugin {

// The first of `members` (lower case) that the top level of a JSON body holds, in any spelling that some parser takes
// for it: compared unescaped and case-folded. As `members` spells it, so it may be shown. A body that is no object has
// none; an object that cannot be read to its end might hold any, so it counts as holding the first.
std::optional<std::string> find_guarded(std::string_view body, std::span<const std::string> members);

// May a request go to `url`? Only to the scheme and authority of the backend's configured endpoint or base URL, or by
// https to one of the facts' `hosts` where the adapter has its own endpoint. User information, white space and
// backslashes are never allowed: URL readers disagree about them.
bool authority_allowed(std::string_view url, const AdapterFacts& facts, std::string_view configured);

} // namespace wm::plugin
