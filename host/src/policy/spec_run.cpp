#include "policy/spec.h"
#include "policy/spec_cases.h"

#include <stdexcept>

namespace wm::policy {
namespace {

std::string shown(bool value) { return value ? "true" : "false"; }
std::string shown(std::optional<std::int64_t> value) { return value ? std::to_string(*value) : "nil"; }

std::string shown(const Ordering& ordering) {
    std::string list;
    for (const auto index : ordering.order)
        list += (list.empty() ? "" : " ") + std::to_string(index + 1);
    return "order={" + list + "} reason=" + ordering.reason;
}
std::string shown(const Classification& c) {
    return "class=" + std::string(to_string(c.what)) + " fall_back=" + shown(c.fall_back) +
           " retry_in_place=" + shown(c.retry_in_place) + " hint_ms=" + shown(c.hint_ms);
}
std::string shown(const Backoff& backoff) {
    return "delay_ms=" + std::to_string(backoff.delay_ms) + " suspended=" + shown(backoff.suspended);
}

std::string answer(Policies& policies, const SpecCase& one) {
    if (const auto* order = std::get_if<OrderCase>(&one.given))
        return shown(policies.order(one.policy, order->request, order->candidates));
    if (const auto* backoff = std::get_if<BackoffCase>(&one.given))
        return shown(policies.backoff(backoff->what, backoff->level, backoff->hint_ms));
    const auto& classify = std::get<ClassifyCase>(one.given);
    auto failure = classify.failure;
    failure.headers = classify.headers;
    return shown(policies.classify(one.policy, failure));
}

std::uint64_t failed_calls(const Counters& c) { return c.errors + c.instructions + c.memory + c.nonsense; }

void run_cases(std::span<const std::filesystem::path> folders, const std::filesystem::path& file, SpecReport& report) {
    SpecCases read;
    read_spec(file, read);
    if (read.cases.empty())
        throw std::runtime_error(file.string() + ": expected at least one case, found none");

    std::vector<std::string> names{"failure/generic"};
    for (const auto& one : read.cases)
        names.push_back(one.policy);
    const SystemClock clock;
    Counters counters;
    Policies policies(Library::load(folders, names), counters, clock);
    for (const auto& one : read.cases) {
        ++report.cases;
        const auto failed_before = failed_calls(counters);
        const auto expected = std::visit([](const auto& e) { return shown(e); }, one.expected);
        const auto found = answer(policies, one);
        const auto where = file.string() + ":" + std::to_string(one.line) + ": " + one.name + ": ";
        if (failed_calls(counters) != failed_before)
            report.failures.push_back(where + "the policy failed: " + policies.last_problem());
        else if (found != expected)
            report.failures.push_back(where + "expected " + expected + ", found " + found);
    }
}

} // namespace

SpecReport run_spec(std::span<const std::filesystem::path> folders, const std::filesystem::path& file) {
    SpecReport report;
    try {
        run_cases(folders, file, report);
    } catch (const std::runtime_error& e) {
        report.failures.emplace_back(e.what());
    }
    return report;
}

} // namespace wm::policy
