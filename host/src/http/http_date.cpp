#include "http/http_date.h"

#include <Poco/DateTimeFormat.h>
#include <Poco/DateTimeFormatter.h>
#include <Poco/DateTimeParser.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <string>

namespace wm::http {

std::string_view http_date(std::int64_t wall_ms) {
    // One formatting a second and thread; the names are spelled out because strftime follows the locale.
    thread_local std::time_t shown = -1;
    thread_local std::array<char, 64> text;
    thread_local std::size_t size = 0;
    const std::time_t seconds = wall_ms / 1000;
    if (seconds != shown) {
        constexpr const char* days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
        constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
        std::tm t{};
        gmtime_r(&seconds, &t);
        const int n = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT", days[t.tm_wday],
                                    t.tm_mday, months[t.tm_mon], t.tm_year + 1900, t.tm_hour, t.tm_min, t.tm_sec);
        size = n > 0 ? std::size_t(n) : 0;
        shown = seconds;
    }
    return {text.data(), size};
}

std::optional<std::int64_t> parse_http_date(std::string_view text) {
    const std::string date(text);
    for (const auto& format : {Poco::DateTimeFormat::HTTP_FORMAT, Poco::DateTimeFormat::RFC850_FORMAT,
                               Poco::DateTimeFormat::ASCTIME_FORMAT}) {
        Poco::DateTime at;
        int zone = 0;
        // Poco reads almost anything as some date: only one that is written the same way again was meant as this one.
        if (Poco::DateTimeParser::tryParse(format, date, at, zone) &&
            Poco::DateTimeFormatter::format(at, format) == date)
            return at.timestamp().epochMicroseconds() / 1000;
    }
    return std::nullopt;
}

} // namespace wm::http
