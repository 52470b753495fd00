#include "config/ini.h"

#include <gtest/gtest.h>

using namespace wm::config;

TEST(Ini, keeps_names_lines_repeats_and_order) {
    const auto doc = parse_ini("# comment\n\n[server]\nlisten = 1\n; other\n[layer \"a.b/c:d\"  \"two words\" ]\r\n  "
                               "target=x y = z # not a comment \r\ntarget = w\n[server]");
    ASSERT_TRUE(doc.problems.empty());
    ASSERT_EQ(doc.sections.size(), 3u);
    EXPECT_EQ(doc.sections[0].kind, "server");
    EXPECT_EQ(doc.sections[0].line, 3u);
    EXPECT_EQ(doc.sections[1].names, (std::vector<std::string>{"a.b/c:d", "two words"}));
    EXPECT_EQ(doc.sections[1].title(), "[layer \"a.b/c:d\" \"two words\"]");
    ASSERT_EQ(doc.sections[1].entries.size(), 2u);
    EXPECT_EQ(doc.sections[1].entries[0].value, "x y = z # not a comment");
    EXPECT_EQ(doc.sections[1].entries[0].line, 7u);
    EXPECT_EQ(doc.sections[1].entries[1].line, 8u);
    EXPECT_EQ(doc.sections[2].line, 9u);
}

TEST(Ini, takes_a_byte_order_mark_an_empty_file_and_an_empty_value) {
    EXPECT_TRUE(parse_ini("").problems.empty());
    const auto doc = parse_ini("\xef\xbb\xbf[server]\naccess_log =\n");
    ASSERT_TRUE(doc.problems.empty());
    EXPECT_EQ(doc.sections[0].entries[0].value, "");
}

TEST(Ini, refuses_with_a_line_and_never_repeats_it) {
    struct Row {
        std::string text;
        unsigned line;
        std::string starts;
        bool header_lost;
    };
    const std::vector<Row> rows = {
        {"[server]\nsk-canary\n", 2, "not understood", false},
        {"[server]\nsk-canary = 1\n", 2, "not understood", false},
        {"[server]\nSKCANARY==\n", 2, "not understood", false},
        {"[server]\n= canary\n", 2, "not understood", false},
        {"canary = 1\n", 1, "key before any section", false},
        {"[canary\n", 1, "section header without its end; expected ] at", true},
        {"[canary] # x\n", 1, "section header with text after ]; expected nothing after it; a comment", true},
        {"[model \"canary ]\"] ; [canary]\n", 1, "section header with text after ]", true},
        {"[Canary \"a\"]\n", 1, "section header with capitals; expected its kind in small letters", true},
        {"[model 'canary']\n", 1, "section header with single quotes; expected \" around names", true},
        {"[model \u201ccanary\u201d]\n", 1, "section header with typographic quotes; expected plain \"", true},
        {"[canary \"a]\n", 1, "section header with a quote that is not closed", true},
        {"[canary \"a\"\"b\"]\n", 1, "section header not understood", true},
        {"[canary a]\n", 1, "section header with a name without quotes; expected [kind]", true},
        {"[CANARY]\n", 1, "section header with capitals", true},
        {"[]\n", 1, "section header not understood", true},
        {std::string("[server]\nlog = canary\0x\n", 24), 2, "control character", false},
        {"[server]\nlog = canary\rx\n", 2, "control character", false},
        {"[server]\n[bad\x01\"canary\"]\n", 2, "control character", true},
        {"[server]\n\nlog = canary" + std::string(5000, 'x') + "\n", 3, "line too long", false},
    };
    for (const auto& row : rows) {
        const auto doc = parse_ini(row.text);
        ASSERT_EQ(doc.problems.size(), 1u) << row.text;
        EXPECT_EQ(doc.problems[0].line, row.line) << row.text;
        EXPECT_EQ(doc.problems[0].text.rfind(row.starts, 0), 0u) << doc.problems[0].text;
        EXPECT_EQ(doc.problems[0].text.find("anary"), std::string::npos);
        EXPECT_EQ(doc.header_lost, row.header_lost) << row.text;
    }
}

TEST(Ini, drops_the_keys_of_a_lost_section_and_goes_on) {
    const auto doc = parse_ini("[a]\nx = 1\n[broken\ny = 2\n[b]\nz = 3\n");
    ASSERT_EQ(doc.sections.size(), 2u);
    EXPECT_EQ(doc.sections[0].entries.size(), 1u);
    EXPECT_EQ(doc.sections[1].entries[0].key, "z");
    EXPECT_TRUE(doc.header_lost);
}

TEST(Ini, bounds_the_file) {
    EXPECT_FALSE(read_ini("/dev/zero"));
    const auto missing = read_ini("/nonexistent/w.ini");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error(), "No such file or directory");
}
