#pragma once
// A case table in memory; the texts of a case live as long as it does.
#include "policy/policies.h"

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

struct SpecCase {
    int line = 0;
    std::string name, policy;
    std::variant<OrderCase, ClassifyCase, BackoffCase> given;
    std::variant<Ordering, Classification, Backoff> expected; // of the same kind
};

struct SpecCases {
    std::vector<SpecCase> cases;
    std::deque<std::string> texts; // what the views in `cases` point to
    std::string policy;            // while the file is read: the one that following cases are about
};

// Throws std::runtime_error naming file and line.
void read_spec(const std::filesystem::path& file, SpecCases& into);

} // namespace wm::policy
