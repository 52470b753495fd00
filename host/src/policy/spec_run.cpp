#include "policy/spec.h"
#include "policy/spec_cases.h"

#include <stdexcept>

namespace wm::policy {
namespace {

std::string shown(bool value) { return value ? "true" : "false"; }
std::string shown(std::optional<std::int64_t> value) { return value ? std::to_string(*value) : "nil"; }

std::string shown(const Ordering& ordering) {
    std::string list;
    for (const auto index : ordering.order) list += (list.empty() ? "" : " ") + std::to_string(index + 1);
    return "order={" + list + "} reason=" + ordering.reason;
}
std::string shown(const Classification& c) {
    return "class=" + std::string(to_string(c.what)) + " fall_back=" + shown(c.fall_back) +
           " retry_in_place=" + shown(c.retry_in_place) + " hint_ms=" + shown(c.hint_ms);
}
std::string shown(const Backoff& backoff) {
    return "delay_ms=" + std::to_string(backoff.delay_ms) + " suspended=" + shown(backoff.suspended);
}
std::string shown(const Rank& rank) {
    const auto promotion = rank.promote_after ? std::optional<std::int64_t>(rank.promote_after->count()) : std::nullopt;
    return "class=" + std::string(rank_classes[rank.priority_class]) + " turn=" + rank.turn +
           " weight=" + std::to_string(rank.weight) + " promote_after_ms=" + shown(promotion);
}

std::string answer(Policies& policies, const SpecCase& one) {
    return std::visit([](const auto& a) { return shown(a); }, call(policies, one.policy, one.given));
}

} // namespace

std::string CaseFailure::text() const {
    return name.empty() ? found : where + ": " + name + ": expected " + expected + ", found " + found;
}

std::uint64_t failed_calls(const Counters& c) { return c.errors + c.instructions + c.memory + c.nonsense; }

Answer call(Policies& policies, std::string_view policy, const Given& given) {
    if (const auto* order = std::get_if<OrderCase>(&given))
        return policies.order(policy, order->request, order->candidates);
    if (const auto* backoff = std::get_if<BackoffCase>(&given))
        return policies.backoff(backoff->what, backoff->level, backoff->hint_ms);
    if (const auto* rank = std::get_if<RankCase>(&given)) return policies.rank(rank->request, rank->gate);
    const auto& classify = std::get<ClassifyCase>(given);
    auto failure = classify.failure;
    failure.headers = classify.headers;
    return policies.classify(policy, failure);
}

std::optional<CaseFailure> run_case(Policies& policies, const Counters& counters, const std::string& file,
                                    const SpecCase& one) {
    const auto failed_before = failed_calls(counters);
    CaseFailure failure{file + ":" + std::to_string(one.line), one.name,
                        std::visit([](const auto& e) { return shown(e); }, one.expected), answer(policies, one)};
    if (failed_calls(counters) != failed_before)
        failure.found = "a call that failed: " + policies.last_problem();
    else if (failure.found == failure.expected)
        return std::nullopt;
    return failure;
}

SpecReport run_spec(std::span<const std::filesystem::path> folders, const std::filesystem::path& file) {
    SpecReport report;
    const auto at_fault = [&](std::string what) {
        report.failures.push_back({{}, {}, {}, std::move(what)});
        return report;
    };
    SpecCases read;
    if (auto problem = read_spec(file, read)) return at_fault(std::move(*problem));
    std::vector<std::string> names;
    for (const auto& one : read.cases) names.push_back(one.policy);
    const SystemClock clock;
    Counters counters{.quiet = true};
    try {
        Policies policies(Library::load(folders, with_fallback(std::move(names))), counters, clock, under_test);
        for (const auto& one : read.cases) {
            ++report.cases;
            if (auto failure = run_case(policies, counters, file.string(), one))
                report.failures.push_back(std::move(*failure));
        }
    } catch (const std::runtime_error& e) {
        return at_fault(file.string() + ": " + e.what());
    }
    return report;
}

} // namespace wm::policy
