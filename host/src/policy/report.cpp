#include "policy/report.h"

#include <Poco/Logger.h>

namespace wm::policy {
namespace {

std::atomic<std::uint64_t>& counter(Counters& counters, Cause cause) {
    switch (cause) {
    case Cause::instructions: return counters.instructions;
    case Cause::memory: return counters.memory;
    case Cause::nonsense: return counters.nonsense;
    case Cause::error: break;
    }
    return counters.errors;
}

constexpr std::string_view what(Cause cause) {
    switch (cause) {
    case Cause::instructions: return "used up its instructions";
    case Cause::memory: return "used up its memory";
    case Cause::nonsense: return "answered nonsense";
    case Cause::error: break;
    }
    return "failed";
}

bool due(std::atomic<std::int64_t>& logged, std::int64_t minute) {
    auto last = logged.load(std::memory_order_relaxed);
    return last != minute && logged.compare_exchange_strong(last, minute, std::memory_order_relaxed);
}

} // namespace

void report(Counters& counters, const Clock& clock, Cause cause, std::string_view policy,
            std::string_view message) noexcept {
    ++counter(counters, cause);
    if (counters.quiet || !due(counters.logged_minute[std::size_t(cause)], clock.wall_ms() / 60'000)) return;
    try {
        std::string line = "policy ";
        line.append(policy).append(" ").append(what(cause)).append(", its default was used: ").append(message);
        Poco::Logger::get("policy").warning(line);
    } catch (...) {
        // A log that cannot be written must not cost the request; the counter stands.
    }
}

} // namespace wm::policy
