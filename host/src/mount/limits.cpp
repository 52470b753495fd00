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

Limits::Limits(const config::MountLimits& settings, const Limits* before, const Clock& clock) : settings_(settings) {
    const auto of_before = [&](const std::string& name) -> std::shared_ptr<gate::Gate> {
        if (before)
            for (const auto& [known, gate] : before->pools_)
                if (known == name) return gate;
        return nullptr;
    };
    for (const auto& pool : settings.pools) {
        auto gate = of_before(pool.name);
        pools_.emplace_back(pool.name, gate ? std::move(gate) : std::make_shared<gate::Gate>(pool.size, clock));
    }
    if (before) {
        // Requests are still inside: should such a pool come back, it knows.
        for (const auto& known : before->pools_)
            if (std::none_of(pools_.begin(), pools_.end(), [&](const auto& pool) { return pool.first == known.first; }))
                pools_.push_back(known);
        global_ = before->global_;
        waiting_ = before->waiting_;
    }
    if (!global_ && settings.global > 0) global_ = std::make_shared<gate::Gate>(settings.global, clock);
    if (!waiting_) waiting_ = std::make_shared<std::atomic<unsigned>>(0);
}

void Limits::resize() const {
    for (std::size_t i = 0; i < settings_.pools.size(); ++i) pools_[i].second->resize(settings_.pools[i].size);
    if (global_) global_->resize(settings_.global);
}

Limits::Needed Limits::needed(std::string_view method, std::string_view path) const {
    for (const auto& limit : settings_.patterns) {
        if (!matches(limit.pattern, method, path)) continue;
        if (limit.pattern.unlimited) return {nullptr, nullptr};
        return {pools_[limit.pool].second.get(), global_.get()};
    }
    return {settings_.all ? pools_.front().second.get() : nullptr, global_.get()};
}

Limits::Place Limits::place() const {
    const auto before = waiting_->fetch_add(1);
    Place place(waiting_);
    if (settings_.queue_depth > 0 && before >= settings_.queue_depth) return Place();
    return place;
}

} // namespace wm::mount
