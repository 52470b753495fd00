#include "exchange/query.h"

#include "exchange/fields.h"

#include <watermaster/words.h>

#include <algorithm>

namespace wm::exchange {

MountedQuery query_of_translated(const http::RequestHead& head, const config::Mount& mount,
                                 std::span<const std::string_view> withheld) {
    const auto has = [](const std::vector<std::string>& all, std::string_view name) {
        return std::find(all.begin(), all.end(), name) != all.end();
    };
    MountedQuery out;
    out.kept = http::query_without(head.query(), [&](std::string_view name, PairView member) {
        const bool secret =
            std::any_of(withheld.begin(), withheld.end(), [&](auto one) { return one.data() == member.value.data(); });
        if (secret || is_credential_member(name) || has(mount.fields.query_stripped, name)) return true;
        const bool kept = has(mount.transcode.query, name);
        if (!kept) out.left.push_back(member);
        return !kept;
    });
    return out;
}

std::optional<std::string> lose_query(translate::Translation& translation, std::span<const PairView> left) {
    for (const auto& member : left) {
        const auto name = http::percent_decode(member.name).value_or(std::string(member.name));
        if (!translation.lose(WM_LOSS_CLIENT_QUERY, name)) return "?" + name;
    }
    return std::nullopt;
}

} // namespace wm::exchange
