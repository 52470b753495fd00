#pragma once
// A case table in memory; the texts of a case live as long as it does.
#include "policy/policies.h"
#include "policy/spec.h"

#include <deque>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace wm::policy {

struct OrderCase {
    AllocationRequest request;
    std::vector<Candidate> candidates;
};

struct ClassifyCase {
    FailureView failure;
    std::vector<PairView> headers;
};

struct BackoffCase {
    FailureClass what = FailureClass::local;
    std::uint32_t level = 0;
    std::optional<std::int64_t> hint_ms;
};

struct RankCase {
    WaitingRequest request;
    GateView gate;
};

using Given = std::variant<OrderCase, ClassifyCase, BackoffCase, RankCase>;
using Answer = std::variant<Ordering, Classification, Backoff, Rank>;

struct SpecCase {
    int line = 0;
    std::string name, policy;
    Given given;
    Answer expected; // of the same kind
};

struct SpecCases {
    std::vector<SpecCase> cases;
    std::deque<std::string> texts; // what the views in `cases` point to
    std::string policy;            // while the file is read: the one that following cases are about
};

// Nothing, or what is wrong with the table, with file and line.
std::optional<std::string> read_spec(const std::filesystem::path& file, SpecCases& into);

Answer call(Policies& policies, std::string_view policy, const Given& given);

// Nothing, or how the case fails; a call that failed fails it, whatever default it got. `counters` are those of
// `policies`.
std::optional<CaseFailure> run_case(Policies& policies, const Counters& counters, const std::string& file,
                                    const SpecCase& one);

std::uint64_t failed_calls(const Counters& counters);

} // namespace wm::policy
