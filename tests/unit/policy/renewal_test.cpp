// Edited scripts: taken if they hold, else the old one goes on.
#include "policy/renewal.h"
#include "scripts.h"

namespace wm::policy::test {
namespace {

const std::string generic = "function classify(f) return { class = 'transport', fall_back = true } end";
const std::string sound = "function order(r, c) local o = {} for i = 1, #c do o[i] = i end return o, 'first' end";
const std::string other = "function order(r, c) local o = {} for i = 1, #c do o[i] = i end return o, 'other' end";

struct PolicyRenewal : testing::Test {
    PolicyRenewal() {
        scripts.put("failure/generic", generic);
        scripts.put("allocation/x", sound);
        first = renew_from(nullptr).library;
    }
    Renewal renew_from(const Library* before) {
        return renew(std::vector{scripts.folder()}, std::vector<std::string>{"failure/generic", "allocation/x"},
                     before);
    }
    // What is said of allocation/x with another source, after its file's name.
    std::string refusal(std::string_view source, Fault fault) {
        scripts.put("allocation/x", source);
        const auto renewal = renew_from(first.get());
        if (renewal.refused.size() != 1) return "not refused";
        EXPECT_EQ(renewal.refused[0].fault, fault) << renewal.refused[0].text;
        EXPECT_EQ(renewal.refused[0].policy, "allocation/x");
        EXPECT_TRUE(renewal.changed.empty());
        EXPECT_EQ(renewal.library->find("allocation/x")->source, sound);
        const auto& text = renewal.refused[0].text;
        const auto file = (scripts.folder() / "allocation/x.lua").string();
        return text.starts_with(file) ? text.substr(file.size()) : text;
    }
    Scripts scripts;
    std::shared_ptr<const Library> first;
};

TEST_F(PolicyRenewal, the_first_of_all) {
    ASSERT_TRUE(first);
    EXPECT_EQ(first->scripts().size(), 2u);
}

TEST_F(PolicyRenewal, what_was_not_edited_goes_on_without_a_test) {
    const auto renewal = renew_from(first.get());
    EXPECT_TRUE(renewal.changed.empty());
    EXPECT_TRUE(renewal.refused.empty());
    EXPECT_EQ(renewal.library->find("allocation/x")->source, sound);
}

TEST_F(PolicyRenewal, an_edit_that_holds_is_taken) {
    scripts.put("allocation/x", other);
    const auto renewal = renew_from(first.get());
    EXPECT_EQ(renewal.changed, std::vector<std::string>{"allocation/x"});
    EXPECT_EQ(renewal.library->find("allocation/x")->source, other);
    EXPECT_EQ(first->find("allocation/x")->source, sound);
}

// Misspelt, they would be nil, or not be read, on each request.
TEST_F(PolicyRenewal, names_that_the_host_does_not_know) {
    const std::string rest = " local o = {} for i = 1, #c do o[i] = i end return o, 'x' end";
    EXPECT_EQ(refusal("function order(r, c) if r.principle == 'a' then error('a') end" + rest, Fault::self_test),
              ":1: there is no member 'principle'; see API.md, in the probe order with 1 candidate");
    EXPECT_EQ(refusal("function order(r, c)\n if c[1].load then error('a') end" + rest, Fault::self_test),
              ":2: there is no member 'load'; see API.md, in the probe order with 1 candidate");
    scripts.put("allocation/x", sound);
    const auto classified = [&](const std::string& with) {
        scripts.put("failure/generic", "function classify(f) " + with + " end");
        const auto renewal = renew_from(first.get());
        if (renewal.refused.empty()) return std::string("taken");
        const auto& text = renewal.refused[0].text;
        return text.substr(text.find(".lua:") + 5, text.find(", in the probe") - text.find(".lua:") - 5);
    };
    EXPECT_EQ(classified("return { class = 'transport', fall_back = true, hint = 3 }"),
              " the answer: there is no member 'hint'; see API.md");
    EXPECT_EQ(classified("return { class = 'transport', fall_back = true, 5 }"),
              " the answer: expected names as members, found a number");
    EXPECT_EQ(classified("return { class = 'transport', fall_back = f.headers['X-Error'] == nil }"),
              "1: headers: expected a name in lower case, found 'X-Error'");
    EXPECT_EQ(classified("return { class = 'transport', fall_back = f.headers['x-error'] == nil and "
                         "f.document == nil or f.retry_after_ms ~= 1 }"),
              "taken");
}

// A script that runs already is not given up for it.
TEST_F(PolicyRenewal, names_are_judged_in_tests_alone) {
    Patient p("return { request.principle == nil and 2 or 1, 1 }, 'x'");
    EXPECT_EQ(p.sick().reason, "x");
}

TEST_F(PolicyRenewal, an_edit_that_does_not_load) {
    EXPECT_EQ(refusal("function order()\n  return = 1\nend", Fault::syntax), ":2: unexpected symbol near '='");
    EXPECT_EQ(refusal("local x = nil + 1", Fault::load), ":1: attempt to perform arithmetic on a nil value");
    EXPECT_EQ(
        refusal("require 'x'", Fault::load),
        ":1: attempt to call a nil value (global 'require'); require is not available in a policy: use the code in "
        "this script");
    EXPECT_EQ(refusal("", Fault::load), ":1: expected a global function 'order', found nil");
    EXPECT_TRUE(refusal("while true do end", Fault::limits).starts_with(":1: instruction limit"));
}

TEST_F(PolicyRenewal, an_edit_that_fails_a_probe) {
    EXPECT_EQ(
        refusal("\nfunction order(request, candidates)\n  return { 1, 2 }, 'two'\nend", Fault::self_test),
        ":2: order: expected each candidate's index exactly once, found { 1, 2 }, \"two\", in the probe order with 1 "
        "candidate");
    EXPECT_EQ(refusal("function order(request, candidates)\n  return candidates[2].index\nend", Fault::self_test),
              ":2: attempt to index a nil value (field 'integer index'), in the probe order with 1 candidate");
    EXPECT_TRUE(
        refusal("function order() while true do end end", Fault::self_test).starts_with(":1: instruction limit"));
}

TEST_F(PolicyRenewal, an_edit_that_fails_its_own_case) {
    scripts.put("spec/x_spec", "policy 'allocation/x'\n\ncase { 'says first',\n  order = { candidates = { {} } }, "
                               "expect = { order = { 1 }, reason = 'first' } }");
    EXPECT_EQ(refusal(other, Fault::self_test), (scripts.folder() / "spec/x_spec.lua").string() +
                                                    ":3: says first: expected order={1} reason=first, found order={1} "
                                                    "reason=other");
    scripts.put("allocation/x", sound + "\n");
    EXPECT_EQ(renew_from(first.get()).changed.size(), 1u);
}

TEST_F(PolicyRenewal, a_broken_table_and_cases_about_others) {
    scripts.put("spec/x_spec", "policy 'allocation/x'\ncase {");
    EXPECT_TRUE(refusal(other, Fault::self_test).starts_with((scripts.folder() / "spec/x_spec.lua").string() + ":2: "));
    scripts.put("spec/x_spec", "policy 'failure/x'\ncase { 'a', classify = {}, expect = { class = 'local' } }");
    EXPECT_EQ(refusal(other, Fault::self_test), "not refused");
}

TEST_F(PolicyRenewal, one_broken_edit_does_not_hold_up_another) {
    scripts.put("failure/generic", "function classify(");
    scripts.put("allocation/x", other);
    const auto renewal = renew_from(first.get());
    EXPECT_EQ(renewal.changed, std::vector<std::string>{"allocation/x"});
    ASSERT_EQ(renewal.refused.size(), 1u);
    EXPECT_EQ(renewal.library->find("failure/generic")->source, generic);
}

TEST_F(PolicyRenewal, a_script_that_is_gone_goes_on) {
    std::filesystem::remove(scripts.folder() / "allocation/x.lua");
    const auto renewal = renew_from(first.get());
    ASSERT_EQ(renewal.refused.size(), 1u);
    EXPECT_EQ(renewal.refused[0].fault, Fault::unreadable);
    EXPECT_EQ(renewal.library->find("allocation/x")->source, sound);
}

TEST_F(PolicyRenewal, without_an_older_one_there_is_no_library_and_all_is_said) {
    scripts.put("failure/generic", "function classify(");
    scripts.put("allocation/x", "");
    const auto renewal = renew_from(nullptr);
    EXPECT_FALSE(renewal.library);
    EXPECT_EQ(renewal.refused.size(), 2u);
}

TEST_F(PolicyRenewal, is_counted_by_cause) {
    RenewalCounters counters;
    scripts.put("failure/generic", "function classify(");
    scripts.put("allocation/x", other);
    counters.count(renew_from(first.get()));
    EXPECT_EQ(counters.accepted, 1u);
    EXPECT_EQ(counters.syntax, 1u);
    scripts.put("failure/generic", "function classify() end");
    scripts.put("allocation/x", "while true do end");
    counters.count(renew_from(first.get()));
    EXPECT_EQ(counters.self_test, 1u);
    EXPECT_EQ(counters.limits, 1u);
    EXPECT_EQ(counters.unreadable, 0u);
}

} // namespace
} // namespace wm::policy::test
