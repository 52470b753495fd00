#include "http/retry_after.h"

#include "base/text.h"
#include "http/http_date.h"

#include <algorithm>

namespace wm::http {

std::optional<Millis> retry_after(const ResponseHead& head, std::int64_t now_ms) {
    constexpr Millis skew(1'000); // of a clock that we do not know
    const auto value = head.find("retry-after");
    if (!value) return std::nullopt;
    const auto text = trim(*value);
    if (const auto seconds = parse_number<std::uint32_t>(text)) return Millis(std::int64_t(*seconds) * 1000);
    const auto at = parse_http_date(text);
    if (!at) return std::nullopt;
    const auto sent = parse_http_date(trim(head.find("date").value_or(""))); // by the clock that wrote Retry-After
    return std::max(Millis(0), sent ? Millis(*at - *sent) : Millis(*at - now_ms) + skew);
}

} // namespace wm::http
