#pragma once
// The one shape of a message that refuses a plugin. Private to this folder.
#include "plugin/report.h"

#include <string>
#include <string_view>

namespace wm::plugin {

inline std::string refusal(std::string_view where, std::string_view expected, std::string_view found,
                           std::string_view remedy) {
    std::string out(where);
    out.append(": expected ").append(expected).append(", found ").append(found).append("; ").append(remedy);
    return out;
}

inline std::string ticked(std::string_view text) { return "`" + printable(text, 80) + "`"; }

} // namespace wm::plugin
