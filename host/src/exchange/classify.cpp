#include "exchange/classify.h"

#include "exchange/fields.h"
#include "http/retry_after.h"

namespace wm::exchange {

void classify(Context& x, const config::Backend& backend, const http::ResponseHead* head, std::string_view document,
              std::uint32_t retries, AttemptFailure& failure) {
    if (failure.stage == Stage::prepare || failure.starved()) return; // our own or a plugin's: no provider is to blame
    std::vector<std::string> names;
    std::vector<PairView> fields;
    std::optional<std::int64_t> retry_after;
    if (head) {
        fields = fields_for_policy(*head, names);
        if (const auto asked = http::retry_after(*head, x.wall_ms())) retry_after = asked->count();
    }
    const auto meaning = x.policies().classify(backend.failure_policy, {.adapter = backend.adapter,
                                                                        .protocol = x.attempts.back().protocol,
                                                                        .status = failure.status,
                                                                        .headers = fields,
                                                                        .document = document,
                                                                        .transport = to_string(failure.transport),
                                                                        .stage = to_string(failure.stage),
                                                                        .error_type = failure.report.type,
                                                                        .error_code = failure.report.code,
                                                                        .error_message = failure.report.message,
                                                                        .retry_after_ms = retry_after,
                                                                        .attempt = retries,
                                                                        .names_state = !x.facts.pins.empty()});
    failure.what = meaning.what;
    failure.retry_in_place = meaning.retry_in_place;
    failure.fall_back = meaning.fall_back;
    failure.hint_ms = meaning.hint_ms;
}

} // namespace wm::exchange
