#pragma once
// What a try says of its upstream. Holds, the circuit and retries all read this one value.
#include "base/clock.h"
#include "http/head.h"
#include "mount/outcome.h"

#include <optional>

namespace wm::mount {

// What the head of a final answer says, at once; how long it asks to wait, counted from then.
struct Judged {
    Verdict verdict = Verdict::success;
    std::optional<Millis> retry_after;
};
Judged judge(const http::ResponseHead& answer, std::int64_t now_ms);

// What the whole try says. `answer`: what its head said, if one came. A failure that the upstream has shown stays one,
// though the client leaves after it; what ended on this side alone says nothing of the upstream.
Verdict verdict_of(std::optional<Verdict> answer, End end, Problem problem);

} // namespace wm::mount
