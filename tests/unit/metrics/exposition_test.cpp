// What the text says, and what is left out of it. Whether it keeps the format's rules is for
// integration/test_metrics.py, which reads all of a real one.
#include "metrics/exposition.h"

#include <gtest/gtest.h>

namespace wm::metrics {
namespace {

TEST(Exposition, a_family_is_one_block_and_an_empty_one_is_none) {
    Exposition out;
    out.family("a_total", Kind::counter, "As.");
    out.sample({{"provider", "x"}}, 1);
    out.sample({{"provider", "y"}}, 2);
    out.family("b", Kind::gauge, "Bs.");
    out.family("c", Kind::gauge, "Cs.");
    out.sample({{"provider", "x"}}, 0.5);
    EXPECT_EQ(out.text(), "# HELP a_total As.\n# TYPE a_total counter\n"
                          "a_total{provider=\"x\"} 1\na_total{provider=\"y\"} 2\n"
                          "# HELP c Cs.\n# TYPE c gauge\nc{provider=\"x\"} 0.5\n");
}

TEST(Exposition, labels_are_escaped) {
    Exposition out;
    out.family("a", Kind::gauge, "As.");
    out.sample({{"path", "a\"b\\c\nd"}}, 1);
    EXPECT_NE(out.text().find("a{path=\"a\\\"b\\\\c\\nd\"} 1\n"), std::string::npos) << out.text();
}

// BC-157
TEST(Exposition, a_label_that_is_not_utf8_makes_no_series) {
    for (const std::string bad : {"\xff", "a\xc3", "\xed\xa0\x80", "\xc0\xaf", "\xf4\x90\x80\x80"}) {
        Exposition out;
        out.family("a", Kind::gauge, "As.");
        out.sample({{"provider", "good"}, {"path", bad}}, 1);
        EXPECT_EQ(out.text(), "");
        out.sample({{"provider", "é\xf0\x9f\x92\xa7"}}, 1);
        EXPECT_NE(out.text().find("é\xf0\x9f\x92\xa7"), std::string::npos);
    }
}

TEST(Exposition, a_histogram_is_cumulative_and_in_seconds) {
    Histogram histogram;
    for (const auto ms : {0, 5, 6, 250, 999'999}) histogram.observe(ms);
    Exposition out;
    out.family("h_seconds", Kind::histogram, "Hs.");
    out.sample({{"provider", "x"}}, histogram.value());
    const auto text = out.text();
    for (const auto* line :
         {"h_seconds_bucket{provider=\"x\",le=\"0.005\"} 2\n", "h_seconds_bucket{provider=\"x\",le=\"0.01\"} 3\n",
          "h_seconds_bucket{provider=\"x\",le=\"0.1\"} 3\n", "h_seconds_bucket{provider=\"x\",le=\"0.25\"} 4\n",
          "h_seconds_bucket{provider=\"x\",le=\"300\"} 4\n", "h_seconds_bucket{provider=\"x\",le=\"+Inf\"} 5\n",
          "h_seconds_count{provider=\"x\"} 5\n", "h_seconds_sum{provider=\"x\"} 1000.26\n"})
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

} // namespace
} // namespace wm::metrics
