#include "config/mount_retry.h"

#include <algorithm>
#include <array>

namespace wm::config {
namespace {

constexpr std::uint64_t most_retries = 1'000'000;

Value<std::optional<unsigned>> parse_count(std::string_view text) {
    if (text == "-1") return std::optional<unsigned>();
    auto count = parse_integer(text, 0, most_retries);
    if (!count) return Failure{Complaint{count.error().problem, "a number up to 1000000, or -1 for no bound"}};
    return std::optional<unsigned>(unsigned(*count));
}

const IniEntry* read_causes(SectionReader& in, RetryRules& rules) {
    constexpr std::array<std::string_view, 3> words{"5xx", "transport", "429"};
    const IniEntry* names_429 = nullptr;
    const auto causes = in.list("retry_on");
    if (!causes.empty()) rules.on_5xx = rules.on_transport = false;
    for (const auto& [text, entry] : causes) {
        const auto word = parse_choice(text, words);
        if (!word) {
            in.bad(*entry, word.error());
            continue;
        }
        (*word == "5xx" ? rules.on_5xx : *word == "transport" ? rules.on_transport : rules.on_429) = true;
        if (*word == "429") names_429 = entry;
    }
    return names_429;
}

} // namespace

void read_mount_retry(SectionReader& in, RetryRules& rules) {
    in.read("retry", rules.most, parse_count);
    const auto* names_429 = read_causes(in, rules);
    bool skips = !rules.on_429;
    if (const auto* entry = in.flag("retry_skip_429", skips); entry && skips && names_429)
        in.bad(*entry, {"retry_on on line " + std::to_string(names_429->line) + " names 429", "no, or no 429 there"});
    rules.on_429 = !skips;
    in.size("retry_max_body", rules.max_body, 0, std::uint64_t(1) << 30);
    const auto* min = in.duration("retry_wait_min", rules.wait_min);
    const auto* max = in.duration("retry_wait_max", rules.wait_max);
    if (rules.wait_min > rules.wait_max)
        in.bad(max ? *max : *min, max ? Complaint{"shorter than retry_wait_min", "at least " + to_text(rules.wait_min)}
                                      : Complaint{"longer than retry_wait_max", "at most " + to_text(rules.wait_max)});
    in.duration("retry_min_delay", rules.min_delay, Millis(0));
    in.duration("retry_max_time", rules.max_time, Millis(0));
    in.duration("retry_after_cap", rules.after_cap, Millis(0));
    for (const auto& [text, entry] : in.list("retry_429_waits")) {
        const auto wait = parse_duration(text);
        if (wait)
            rules.waits_429.push_back(*wait);
        else
            in.bad(*entry, wait.error());
    }
    in.duration("retry_429_max_time", rules.max_time_429, Millis(0));
    if (const auto words = in.list("retry_429_exhausted"); !words.empty()) {
        rules.exhausted_429.clear();
        for (const auto& [word, entry] : words) rules.exhausted_429.push_back(word);
    }
}

} // namespace wm::config
