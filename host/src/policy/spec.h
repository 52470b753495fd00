#pragma once
// Case tables that say what a policy answers: run by the tests, by `watermaster policy test`, and before an edited
// script is taken.
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace wm::policy {

struct CaseFailure {
    std::string where;           // "FILE:LINE" of the case
    std::string name;            // empty: the table itself is at fault, and `found` says where and how
    std::string expected, found; // answers as text

    std::string text() const; // all of it in one line
};

struct SpecReport {
    std::size_t cases = 0;
    std::vector<CaseFailure> failures; // empty: all is well
};

// Runs every case of `file` through the real engine, with policies looked up in `folders`. What is wrong with the file
// or with a policy is a failure in the report; nothing is thrown but std::bad_alloc.
SpecReport run_spec(std::span<const std::filesystem::path> folders, const std::filesystem::path& file);

} // namespace wm::policy
