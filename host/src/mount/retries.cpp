#include "mount/retries.h"

#include "http/deadline.h"

#include <algorithm>

namespace wm::mount {

namespace {

// Whether a wait until `at` stays within `most` of time since `first`; 0 is no bound.
bool within(SteadyTime at, SteadyTime first, Millis most) {
    return most == Millis(0) || at <= http::after(first, most);
}

} // namespace

bool Retries::wanted(Verdict failure) const {
    switch (failure) {
    case Verdict::transport: return rules_.on_transport;
    case Verdict::server_error: return rules_.on_5xx;
    case Verdict::throttled: return rules_.on_429;
    default: return false; // no failure, or one that another sending does not mend
    }
}

Millis Retries::doubled(unsigned so_far) {
    auto wait = rules_.wait_min;
    for (; so_far > 0 && wait < rules_.wait_max; --so_far) wait *= 2;
    wait = std::min(wait, rules_.wait_max);
    // A quarter more or less, so that those who failed together do not come back together.
    wait = Millis(std::int64_t(double(wait.count()) * (0.75 + 0.5 * random_.unit())));
    return std::clamp(wait, rules_.wait_min, rules_.wait_max);
}

Millis Retries::step(Verdict failure) {
    if (failure != Verdict::throttled) return doubled(made_++);
    const auto n = made_429_++;
    const auto& waits = rules_.waits_429;
    return waits.empty() ? doubled(n) : waits[std::min<std::size_t>(n, waits.size() - 1)];
}

std::optional<SteadyTime> Retries::next(Verdict failure, std::optional<Millis> asked, SteadyTime now) {
    const bool limited = failure == Verdict::throttled; // bounded by time, not by number
    if (!wanted(failure) || rules_.most == 0u) return std::nullopt;
    if (!limited && rules_.most && made_ >= *rules_.most) return std::nullopt;
    if (!first_) first_ = now;
    if (limited && !first_429_) first_429_ = now;
    auto wait = std::max(step(failure), rules_.min_delay);
    if (asked) wait = std::max(wait, rules_.after_cap > Millis(0) ? std::min(*asked, rules_.after_cap) : *asked);
    const auto at = http::after(now, wait);
    if (at >= deadline_ || !within(at, *first_, rules_.max_time)) return std::nullopt;
    if (limited && !within(at, *first_429_, rules_.max_time_429)) return std::nullopt;
    return at;
}

bool says_exhausted(std::string_view body, const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return body.find('"' + word + '"') != body.npos; });
}

} // namespace wm::mount
