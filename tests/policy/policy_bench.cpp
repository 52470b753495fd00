// What a call of each shipped policy costs in processor time: a busy machine makes wall time meaningless.
#include "policy/policies.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace wm;
using namespace wm::policy;

namespace {

double seconds = 0.5;

template <class Call>
void measure(const char* what, Call&& call) {
    std::size_t calls = 0;
    const auto start = std::clock();
    double passed = 0;
    do {
        for (int i = 0; i < 1000; ++i)
            call();
        calls += 1000;
        passed = double(std::clock() - start) / CLOCKS_PER_SEC;
    } while (passed < seconds);
    std::printf("%-44s %7.3f us\n", what, passed * 1e6 / double(calls));
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 1)
        seconds = std::atof(argv[1]);
    const std::vector<std::filesystem::path> folders{WM_POLICIES};
    const std::vector<std::string> names{"allocation/random", "failure/generic", "failure/schedules"};
    const SystemClock clock;
    Counters counters;
    Policies policies(Library::load(folders, names), counters, clock);

    const AllocationRequest request{"model", "openai-chat", "user", "layer", true, 1000};
    const std::vector<Candidate> candidates{
        {"a", "key", "model", 0.7}, {"b", "key", "model", 0.2}, {"c", "key", "model", 0.5}};
    measure("order, 1 candidate",
            [&] { policies.order("allocation/random", request, std::span(candidates).first(1)); });
    measure("order, 3 candidates", [&] { policies.order("allocation/random", request, candidates); });

    const std::vector<PairView> headers{{"content-type", "application/json"},
                                        {"retry-after", "7"},
                                        {"x-request-id", "req_123"},
                                        {"x-ratelimit-remaining-requests", "0"}};
    FailureView failure;
    failure.adapter = "custom-chat-completions";
    failure.protocol = "openai-chat";
    failure.status = 503;
    failure.stage = "head";
    failure.headers = headers;
    failure.retry_after_ms = 7000;
    measure("classify, by status", [&] { policies.classify("failure/generic", failure); });
    failure.status = 429;
    failure.document =
        R"({"error":{"message":"Rate limit reached","type":"requests","param":null,"code":"rate_limit_exceeded"}})";
    measure("classify, 429, error in the document", [&] { policies.classify("failure/generic", failure); });
    failure.error_type = "requests";
    failure.error_code = "rate_limit_exceeded";
    measure("classify, 429, error located by a tap", [&] { policies.classify("failure/generic", failure); });
    FailureView timeout;
    timeout.stage = "head";
    timeout.transport = "timeout";
    measure("classify, timeout", [&] { policies.classify("failure/generic", timeout); });
    measure("backoff", [&] { policies.backoff(FailureClass::transport, 1, std::nullopt); });

    const auto failed = counters.errors + counters.instructions + counters.memory + counters.nonsense;
    if (failed)
        std::printf("%llu calls failed: %s\n", static_cast<unsigned long long>(failed),
                    policies.last_problem().c_str());
    return failed ? 1 : 0;
}
