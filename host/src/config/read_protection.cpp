#include "config/read_protection.h"

namespace wm::config {

namespace {

constexpr Millis none(0);

// A most that is given must not be less than what grows up to it; one that is not given grows with it.
void read_growing(SectionReader& in, std::string_view key, Millis& least, Millis smallest, std::string_view most_key,
                  Millis& most) {
    in.duration(key, least, smallest);
    if (!in.duration(most_key, most, smallest))
        most = std::max(most, least);
    else if (most < least)
        in.bad(most_key, {"less than " + std::string(key), "at least that"});
}

} // namespace

std::vector<const IniEntry*> read_holds(SectionReader& in, Holds& holds) {
    return {in.duration("settle", holds.settle, none),
            in.duration("release_cooldown", holds.release_cooldown, none),
            in.duration("cancel_cooldown", holds.cancel_cooldown, none),
            in.duration("failure_hold", holds.failure_hold, none),
            in.flag("adaptive_headroom", holds.adaptive_headroom),
            in.duration("adaptive_headroom_window", holds.adaptive_headroom_window)};
}

void read_breaker(SectionReader& in, Breaker& breaker) {
    in.flag("circuit_breaker", breaker.on);
    in.number("cb_threshold", breaker.threshold, 1, 1'000'000);
    in.duration("cb_window", breaker.window);
    read_growing(in, "cb_open_timeout", breaker.open_timeout, Millis(1), "cb_max_open_timeout",
                 breaker.max_open_timeout);
    read_growing(in, "cb_penalty", breaker.penalty, none, "cb_max_penalty", breaker.max_penalty);
}

} // namespace wm::config
