#pragma once
// Case tables that say what a policy answers: run by the tests and by `watermaster policy test`.
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace wm::policy {

struct SpecReport {
    std::size_t cases = 0;
    std::vector<std::string> failures; // "file:line: case: expected, found"; empty: all is well
};

// Runs every case of `file` through the real engine, with policies looked up in `folders`. What is wrong with the file
// or with a policy is a failure in the report; nothing is thrown but std::bad_alloc.
SpecReport run_spec(std::span<const std::filesystem::path> folders, const std::filesystem::path& file);

} // namespace wm::policy
