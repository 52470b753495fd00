// BC-011 BC-012 BC-016 BC-017
#include "base/path_prefix.h"

#include <gtest/gtest.h>

namespace wm {
namespace {

TEST(PathPrefix, MatchesWholeSegments) {
    struct Row {
        std::string_view prefix, path;
        std::optional<std::string_view> rest;
    };
    const Row rows[] = {
        {"/a", "/a", ""},
        {"/a", "/a/", "/"},
        {"/a", "/a/b", "/b"},
        {"/a", "/a//b", "//b"},
        {"/a", "/ab", {}},
        {"/a", "/", {}},
        {"/a", "", {}},
        {"/a", "/A", {}},
        {"/a", "/%61", {}},
        {"/a", "//a", {}},
        {"/a", "/a?", {}},
        {"/a/b", "/a", {}},
        {"/a/b", "/a/b/c", "/c"},
        {"/a/b", "/a/bc", {}},
        {"", "/", "/"},
        {"", "/a/b", "/a/b"},
        {"", "*", "*"},
        {"/a", "/b/a", {}},
        {"/a", "/a/../b", "/../b"},
        {"/a", "/a;x", {}},
    };
    for (const auto& row : rows)
        EXPECT_EQ(behind_prefix(row.prefix, row.path), row.rest) << row.prefix << ' ' << row.path;
}

TEST(PathPrefix, OverlapIsMutual) {
    struct Row {
        std::string_view a, b;
        bool overlap;
    };
    const Row rows[] = {{"/a", "/a", true}, {"/a", "/a/b", true}, {"/a", "/ab", false},    {"/a", "/b", false},
                        {"", "/a", true},   {"", "", true},       {"/a/b", "/a/c", false}, {"/a/b", "/a/b/c/d", true}};
    for (const auto& row : rows) {
        EXPECT_EQ(prefixes_overlap(row.a, row.b), row.overlap) << row.a << ' ' << row.b;
        EXPECT_EQ(prefixes_overlap(row.b, row.a), row.overlap) << row.b << ' ' << row.a;
    }
}

} // namespace
} // namespace wm
