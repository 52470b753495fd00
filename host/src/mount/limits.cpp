#include "mount/limits.h"

#include "base/text.h"
#include "http/url.h"

#include <algorithm>

namespace wm::mount {

namespace {

bool same_segment(std::string_view sent, const std::string& pattern) {
    if (sent.find('%') == sent.npos) return iequals(sent, pattern);
    const auto decoded = http::percent_decode(sent); // else an escape would be a way round the limit
    return iequals(decoded ? std::string_view(*decoded) : sent, pattern);
}

} // namespace

bool matches(const config::LimitPattern& pattern, std::string_view method, std::string_view path) {
    if (!iequals(method, pattern.method)) return false;
    for (auto segment = pattern.segments.rbegin(); segment != pattern.segments.rend(); ++segment) {
        while (!path.empty() && (path.back() == '/' || path.back() == ':')) path.remove_suffix(1);
        const auto begin = path.find_last_of("/:") + 1; // npos + 1 is 0
        if (path.empty() || !same_segment(path.substr(begin), *segment)) return false;
        path = path.substr(0, begin);
    }
    return true;
}

Limits::Limits(const config::MountLimits& settings, std::shared_ptr<gate::Gate> before, const Clock& clock)
    : settings_(settings), gate_(before ? before : std::make_shared<gate::Gate>(settings.global, clock)) {
    for (const auto& pool : settings.pools) parts_.push_back(gate_->part(pool.name, before ? 0 : pool.size));
}

std::vector<gate::Gate::State> Limits::limiters() const {
    auto all = gate_->parts();
    std::erase_if(all, [&](const gate::Gate::State& state) {
        const bool known = std::any_of(settings_.pools.begin(), settings_.pools.end(),
                                       [&](const config::LimitPool& pool) { return pool.name == state.name; });
        return !known && !state.used();
    });
    return shown(std::move(all));
}

std::vector<gate::Gate::State> Limits::limiters_of(gate::Part part) const {
    auto all = gate_->parts();
    return shown(part == gate::whole ? std::vector<gate::Gate::State>() : std::vector{all[part - 1]});
}

std::vector<gate::Gate::State> Limits::shown(std::vector<gate::Gate::State> parts) const {
    for (auto& state : parts)
        if (state.name.empty()) state.name = "concurrency";
    if (settings_.global > 0) parts.push_back(gate_->state()), parts.back().name = "global_concurrency";
    return parts;
}

void Limits::resize() const {
    std::vector<gate::Gate::Size> sizes{{gate::whole, settings_.global}};
    for (std::size_t i = 0; i < parts_.size(); ++i) sizes.push_back({parts_[i], settings_.pools[i].size});
    gate_->resize(sizes);
}

std::optional<Limits::Need> Limits::needed(std::string_view method, std::string_view path) const {
    for (const auto& limit : settings_.patterns) {
        if (!matches(limit.pattern, method, path)) continue;
        if (limit.pattern.unlimited) return std::nullopt;
        return Need{parts_[limit.pool], limit.pattern.route};
    }
    return settings_.all ? Need{parts_.front(), any_route} : Need{gate::whole, {}};
}

} // namespace wm::mount
