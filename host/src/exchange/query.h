#pragma once
// Which members of a request's query go on where it is translated. A client's keys never do.
#include "config/mount_settings.h"
#include "http/head.h"
#include "http/url.h"
#include "translate/translation.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wm::exchange {

// Of a path that a mount translates: the members that may go on, as they stand, and those that are left behind.
struct MountedQuery {
    std::string kept;
    std::vector<PairView> left;
};
// `withheld`: see mount/request.h.
MountedQuery query_of_translated(const http::RequestHead& head, const config::Mount& mount,
                                 std::span<const std::string_view> withheld);

// Loses what is left behind: the first member whose loss is not approved, as messages name it.
std::optional<std::string> lose_query(translate::Translation& translation, std::span<const PairView> left);

} // namespace wm::exchange
