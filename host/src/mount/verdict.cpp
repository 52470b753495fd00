#include "mount/verdict.h"

#include "base/text.h"
#include "http/retry_after.h"

#include <algorithm>

namespace wm::mount {

namespace {

bool names_a_rate_limit(const http::ResponseHead& answer) {
    return std::any_of(answer.fields().begin(), answer.fields().end(), [](const PairView& field) {
        return ibegins(field.name, "x-ratelimit-") || ibegins(field.name, "ratelimit-") ||
               iequals(field.name, "ratelimit");
    });
}

} // namespace

Judged judge(const http::ResponseHead& answer, std::int64_t now_ms) {
    Judged judged;
    judged.retry_after = http::retry_after(answer, now_ms);
    const auto status = answer.status();
    if (status >= 500)
        judged.verdict = Verdict::server_error;
    else if (status == 429)
        judged.verdict = Verdict::throttled;
    else if (status == 403 && (judged.retry_after.value_or(Millis(0)) > Millis(0) || names_a_rate_limit(answer)))
        judged.verdict = Verdict::banned;
    return judged;
}

Verdict verdict_of(std::optional<Verdict> answer, End end, Problem problem) {
    if (answer && is_failure(*answer)) return *answer;
    switch (end) {
    case End::answered: return answer.value_or(Verdict::success);
    case End::broken_off: return Verdict::transport;
    case End::client_gone: return Verdict::abandoned;
    case End::failed: break;
    }
    switch (problem) {
    case Problem::no_stream: return answer.value_or(Verdict::success);
    case Problem::unreachable:
    case Problem::no_answer:
    case Problem::too_slow: return Verdict::transport;
    case Problem::bad_answer: return Verdict::malformed;
    case Problem::untold:
    case Problem::bad_body:
    case Problem::slow_body:
    case Problem::unserved_upgrade: return Verdict::abandoned;
    default: return Verdict::untried;
    }
}

} // namespace wm::mount
