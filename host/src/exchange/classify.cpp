#include "exchange/classify.h"

#include "exchange/fields.h"

#include <Poco/DateTimeFormat.h>
#include <Poco/DateTimeFormatter.h>
#include <Poco/DateTimeParser.h>

namespace wm::exchange {

std::optional<std::int64_t> parse_retry_after(std::string_view value, std::int64_t now_ms) {
    const auto text = trim(value);
    if (const auto seconds = parse_number<std::uint32_t>(text)) return std::int64_t(*seconds) * 1000;
    const std::string date(text);
    for (const auto& format : {Poco::DateTimeFormat::HTTP_FORMAT, Poco::DateTimeFormat::RFC850_FORMAT,
                               Poco::DateTimeFormat::ASCTIME_FORMAT}) {
        Poco::DateTime at;
        int zone = 0;
        // Poco reads almost anything as some date: only one that is written the same way again was meant as this one.
        if (!Poco::DateTimeParser::tryParse(format, date, at, zone) ||
            Poco::DateTimeFormatter::format(at, format) != date)
            continue;
        return std::max<std::int64_t>(0, at.timestamp().epochMicroseconds() / 1000 - now_ms);
    }
    return std::nullopt;
}

void classify(Context& x, const config::Backend& backend, const http::ResponseHead* head, std::string_view document,
              std::uint32_t attempt, AttemptFailure& failure) {
    if (failure.stage == Stage::prepare) return; // our own or a plugin's: no provider is to blame
    std::vector<std::string> names;
    std::vector<PairView> fields;
    std::optional<std::int64_t> retry_after;
    if (head) {
        fields = fields_for_policy(*head, names);
        if (const auto value = head->find("retry-after")) retry_after = parse_retry_after(*value, x.wall_ms());
    }
    const auto meaning = x.policies().classify(backend.failure_policy, {.adapter = backend.adapter,
                                                                        .protocol = x.attempts.back().protocol,
                                                                        .status = failure.status,
                                                                        .headers = fields,
                                                                        .document = document,
                                                                        .transport = failure.transport,
                                                                        .stage = to_string(failure.stage),
                                                                        .error_type = failure.report.type,
                                                                        .error_code = failure.report.code,
                                                                        .error_message = failure.report.message,
                                                                        .retry_after_ms = retry_after,
                                                                        .attempt = attempt});
    failure.what = meaning.what;
    failure.retry_in_place = meaning.retry_in_place;
    failure.fall_back = meaning.fall_back;
    failure.hint_ms = meaning.hint_ms;
}

} // namespace wm::exchange
