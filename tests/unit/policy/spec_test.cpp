// The case runner itself: a table that is wrong says where.
#include "policy/spec.h"
#include "scripts.h"

namespace wm::policy::test {
namespace {

struct Spec {
    Spec() {
        scripts.put("allocation/x",
                    "function order(r, c) if r.stream then error('broke') end return { 2, 1 }, 'x' end");
        scripts.put(
            "failure/generic",
            "function classify(f) return { class = 'transport', fall_back = true, hint_ms = f.retry_after_ms } end");
        scripts.put("failure/nothing", "function classify(f) error('broke') end");
        scripts.put("failure/schedules", "function backoff(c, l, h) return l, false end");
    }
    SpecReport run(const std::string& source) {
        scripts.put("spec/x_spec", source);
        return run_spec(std::vector{scripts.folder()}, file());
    }
    // The first failure, after the file's name.
    std::string failure(const std::string& source) {
        const auto report = run(source);
        if (report.failures.empty()) return "none";
        const auto first = report.failures.front().text();
        EXPECT_TRUE(first.starts_with(file().string())) << first;
        return first.substr(std::min(first.size(), file().string().size()));
    }
    std::string script(const std::string& name) const { return (scripts.folder() / (name + ".lua")).string(); }
    std::filesystem::path file() const { return scripts.folder() / "spec/x_spec.lua"; }
    Scripts scripts;
};

const std::string two = "order = { candidates = { {}, {} } }";

TEST(PolicySpecRunner, cases_that_hold) {
    Spec spec;
    const auto report = spec.run("policy 'allocation/x'\ncase { 'a', " + two +
                                 ", expect = { order = { 2, 1 }, reason = 'x' } }\n"
                                 "policy 'failure/generic'\ncase { 'b', classify = { retry_after_ms = 5 }, "
                                 "expect = { class = 'transport', fall_back = true, hint_ms = 5 } }\n"
                                 "policy 'failure/schedules'\ncase { 'c', backoff = { class = 'transport', level = 3 "
                                 "}, expect = { delay_ms = 3 } }");
    EXPECT_EQ(report.cases, 3u);
    EXPECT_TRUE(report.failures.empty()) << report.failures.front().text();
}

TEST(PolicySpecRunner, cases_that_do_not) {
    Spec spec;
    EXPECT_EQ(spec.failure("policy 'allocation/x'\n\ncase { 'a',\n" + two +
                           ", expect = { order = { 1, 2 }, reason = 'x' } }"),
              ":3: a: expected order={1 2} reason=x, found order={2 1} reason=x");
    EXPECT_EQ(
        spec.failure(
            "policy 'failure/generic'\ncase { 'b', classify = {}, expect = { class = 'local', fall_back = true } }"),
        ":2: b: expected class=local fall_back=true retry_in_place=false hint_ms=nil, "
        "found class=transport fall_back=true retry_in_place=false hint_ms=nil");
    EXPECT_EQ(spec.failure(
                  "policy 'failure/schedules'\ncase { 'c', backoff = { class = 'local' }, expect = { delay_ms = 1 } }"),
              ":2: c: expected delay_ms=1 suspended=false, found delay_ms=0 suspended=false");
}

TEST(PolicySpecRunner, a_policy_that_fails_fails_its_case_whatever_the_default_says) {
    Spec spec;
    EXPECT_EQ(
        spec.failure("policy 'allocation/x'\ncase { 'a', order = { request = { stream = true }, candidates = { {} } }, "
                     "expect = { order = { 1 }, reason = 'configured' } }"),
        ":2: a: expected order={1} reason=configured, found a call that failed: " + spec.script("allocation/x") +
            ":1: broke");
    EXPECT_EQ(spec.failure("policy 'failure/nothing'\ncase { 'a', classify = {}, expect = { class = 'transport', "
                           "fall_back = true } }"),
              ":2: a: expected class=transport fall_back=true retry_in_place=false hint_ms=nil, found a call that "
              "failed: " +
                  spec.script("failure/nothing") + ":1: broke");
}

TEST(PolicySpecRunner, tables_that_are_wrong) {
    Spec spec;
    EXPECT_NE(spec.failure("policy 'failure/generic'\ncase { 'a', classify = { stage = 'heat' }, expect = { class = "
                           "'transport' } }")
                  .find("stage: expected one of connect, head, body, stream, found 'heat'"),
              std::string::npos);
    EXPECT_EQ(spec.failure(""), ": expected at least one case, found none");
    EXPECT_TRUE(spec.failure("case {}").starts_with(":1: case: expected a line like"));
    EXPECT_TRUE(spec.failure("\npolicy 'x'").starts_with(":2: policy: expected allocation/NAME"));
    EXPECT_TRUE(spec.failure("policy 'allocation/x'\ncase { 'a', " + two + " }")
                    .starts_with(":2: case.expect: expected a table, found nil"));
    EXPECT_TRUE(spec.failure("policy 'allocation/x'\ncase { " + two + ", expect = {} }")
                    .starts_with(":2: case: expected its name first"));
    EXPECT_TRUE(
        spec.failure("policy 'allocation/x'\ncase { 'a', given = {} }").starts_with(":2: case: unknown field 'given'"));
    EXPECT_TRUE(
        spec.failure("policy 'failure/generic'\ncase { 'a', classify = { stauts = 1 }, expect = { class = 'local' } }")
            .starts_with(":2: classify: unknown field 'stauts'"));
    EXPECT_TRUE(
        spec.failure(
                "policy 'failure/generic'\ncase { 'a', classify = { status = 'x' }, expect = { class = 'local' } }")
            .starts_with(":2: classify.status: expected a whole number, found string"));
    EXPECT_TRUE(spec.failure("policy 'failure/generic'\ncase { 'a', classify = {}, expect = { class = 'lokal' } }")
                    .starts_with(":2: expect.class: expected a failure class, found 'lokal'"));
    EXPECT_TRUE(spec.failure("\n\nwhile true do end").starts_with(":3: instruction limit"));
    EXPECT_TRUE(spec.failure("x = = 1").starts_with(":1: "));
}

TEST(PolicySpecRunner, a_policy_that_does_not_load) {
    Spec spec;
    const auto report =
        spec.run("policy 'allocation/absent'\ncase { 'a', " + two + ", expect = { order = { 1, 2 } } }");
    ASSERT_EQ(report.failures.size(), 1u);
    EXPECT_NE(report.failures[0].text().find("allocation/absent: no such file"), std::string::npos)
        << report.failures[0].text();
}

} // namespace
} // namespace wm::policy::test
