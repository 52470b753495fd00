// Every case table of policies/spec, one test each, through the real engine.
#include "policy/spec.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> spec_files() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(WM_POLICIES) / "spec"))
        if (entry.path().extension() == ".lua") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

class PolicySpec : public testing::TestWithParam<fs::path> {};

TEST_P(PolicySpec, holds) {
    const std::vector<fs::path> folders{WM_POLICIES};
    const auto report = wm::policy::run_spec(folders, GetParam());
    for (const auto& failure : report.failures) ADD_FAILURE() << failure.text();
    EXPECT_GT(report.cases, 0u);
}

INSTANTIATE_TEST_SUITE_P(Shipped, PolicySpec, testing::ValuesIn(spec_files()),
                         [](const auto& file) { return file.param.stem().string(); });

TEST(PolicySpecs, every_policy_has_one) {
    for (const auto& entry : fs::recursive_directory_iterator(WM_POLICIES)) {
        const auto& file = entry.path();
        if (file.extension() != ".lua" || file.parent_path().filename() == "spec") continue;
        EXPECT_TRUE(fs::exists(fs::path(WM_POLICIES) / "spec" / (file.stem().string() + "_spec.lua"))) << file;
    }
}

} // namespace
