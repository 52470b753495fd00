#include "config/mount_limits.h"

#include "config/reading.h"

#include <algorithm>

namespace wm::config {
namespace {

constexpr std::uint64_t most = 1'000'000;

// The pool a pattern uses; made when it is met first. Sizes of groups are settled before.
std::size_t pool_of(const LimitPattern& pattern, const std::string& text, MountLimits& limits) {
    if (pattern.group.empty() && !pattern.size) return 0;
    const auto name = pattern.group.empty() ? text : "@" + pattern.group;
    auto& pools = limits.pools;
    const auto known =
        std::find_if(pools.begin(), pools.end(), [&](const LimitPool& pool) { return pool.name == name; });
    if (known == pools.end()) {
        pools.push_back({name, pattern.size.value_or(pools.front().size)});
        return pools.size() - 1;
    }
    if (pattern.size) known->size = *pattern.size;
    return std::size_t(known - pools.begin());
}

} // namespace

void read_mount_limits(SectionReader& in, MountLimits& limits) {
    in.number("concurrency", limits.pools.front().size, 1, most);
    in.number("global_concurrency", limits.global, 0, most);
    in.flag("limit_all", limits.all);
    in.duration("queue_timeout", limits.queue_timeout, Millis(0));
    in.number("queue_depth", limits.queue_depth, 0, most);
    in.duration("queue_comments", limits.queue_comments, Millis(0));
    read_queue_order(in, limits.queue_order);

    struct Sized {
        std::string group;
        unsigned size, line;
    };
    std::vector<Sized> sized;
    const auto add = [&](LimitPattern pattern, const std::string& text) {
        const auto pool = pattern.unlimited ? 0 : pool_of(pattern, text, limits);
        limits.patterns.push_back({std::move(pattern), pool});
    };
    const bool given = !in.all("limit").empty();
    if (given) {
        for (const auto& [text, entry] : in.list("limit")) {
            auto pattern = parse_limit(text);
            if (!pattern) {
                in.bad(*entry, pattern.error());
                continue;
            }
            if (!pattern->group.empty() && pattern->size) {
                const auto other = std::find_if(sized.begin(), sized.end(),
                                                [&](const Sized& one) { return one.group == pattern->group; });
                if (other != sized.end() && other->size != *pattern->size)
                    in.bad(*entry, {"another size for group " + pattern->group,
                                    std::to_string(other->size) + ", as on line " + std::to_string(other->line)});
                sized.push_back({pattern->group, *pattern->size, entry->line});
            }
            add(std::move(*pattern), text);
        }
        return;
    }
    for (const auto text : default_limits) add(*parse_limit(text), std::string(text));
}

} // namespace wm::config
