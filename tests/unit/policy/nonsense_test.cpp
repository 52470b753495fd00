// Answers that are none.
#include "manual_clock.h"
#include "scripts.h"

namespace wm::policy::test {
namespace {

TEST(PolicyNonsense, orders) {
    for (const char* code : {
             "return nil",
             "return 5",
             "return 'text', 'reason'",
             "return {}, 'reason'",
             "return { 1 }, 'reason'",
             "return { 1, 1 }, 'reason'",
             "return { 1, 3 }, 'reason'",
             "return { 0, 1 }, 'reason'",
             "return { 1, 2, 3 }, 'reason'",
             "return { 1, -2 }, 'reason'",
             "return { 1, 1.5 }, 'reason'",
             "return { 1, '2' }, 'reason'",
             "return { 1, 0/0 }, 'reason'",
             "return { 1, math.huge }, 'reason'",
             "return { 1, {} }, 'reason'",
             "return candidates, 'reason'",
             "return { 1, 2 }",
             "return { 1, 2 }, nil",
             "return { 1, 2 }, 5",
             "return { 1, 2 }, ''",
             "return { 1, 2 }, 'two words'",
             "return { 1, 2 }, ('x'):rep(65)",
             "return { 1, 2 }, { 'reason' }",
             "do return end",
         })
        expect_one_lost_call(code, &Counters::nonsense);
}

TEST(PolicyNonsense, a_whole_float_is_an_index) {
    Patient p("return { 2.0, 1.0 }, 'floats', 'and more'");
    EXPECT_EQ(p.sick().order, (std::vector<std::uint32_t>{1, 0}));
}

struct Failures {
    explicit Failures(const std::string& special, const std::string& general, const std::string& schedule) {
        scripts.put("failure/special", "function classify(failure) " + special + " end");
        scripts.put("failure/generic", "function classify(failure) " + general + " end");
        scripts.put("failure/schedules", "function backoff(class, level, hint_ms) " + schedule + " end");
        policies.emplace(scripts.load(), counters, clock);
    }
    Scripts scripts;
    Counters counters;
    ManualClock clock;
    std::optional<Policies> policies;
};

const std::string general = "return { class = 'transport', fall_back = true, hint_ms = 5 }";

TEST(PolicyNonsense, classifications_fall_back_to_generic) {
    for (const char* code : {
             "return 5",
             "return 'transport'",
             "return {}",
             "return { class = 'transport' }",
             "return { class = 'weird', fall_back = true }",
             "return { class = 5, fall_back = true }",
             "return { class = 'transport', fall_back = 1 }",
             "return { class = 'transport', fall_back = true, retry_in_place = 'yes' }",
             "return { class = 'transport', fall_back = true, hint_ms = 0/0 }",
             "return { class = 'transport', fall_back = true, hint_ms = -1 }",
             "return { class = 'transport', fall_back = true, hint_ms = math.huge }",
             "return { class = 'transport', fall_back = true, hint_ms = 86400001 }",
             "return { class = 'transport', fall_back = true, hint_ms = '5' }",
         }) {
        SCOPED_TRACE(code);
        Failures f(code, general, "return 1, false");
        const auto found = f.policies->classify("failure/special", {});
        EXPECT_EQ(found.what, FailureClass::transport);
        EXPECT_TRUE(found.fall_back);
        EXPECT_EQ(found.hint_ms, 5);
        EXPECT_EQ(f.counters.nonsense, 1u);
        EXPECT_EQ(failed_calls(f.counters), 1u);
    }
}

TEST(PolicyNonsense, a_special_policy_may_leave_it_to_generic) {
    Failures f("return nil", general, "return 1, false");
    EXPECT_TRUE(f.policies->classify("failure/special", {}).from_policy);
    EXPECT_EQ(f.policies->classify("failure/special", {}).what, FailureClass::transport);
    EXPECT_EQ(failed_calls(f.counters), 0u);
}

TEST(PolicyNonsense, without_generic_a_failure_touches_nothing) {
    for (const char* code : {"return nil", "while true do end", "error('x')", "return { class = 'ambiguous' }"}) {
        SCOPED_TRACE(code);
        Failures f("return { class = 'ambiguous' }", code, "return 1, false");
        const auto found = f.policies->classify("failure/special", {});
        EXPECT_EQ(found.what, FailureClass::local);
        EXPECT_FALSE(found.retry_in_place);
        EXPECT_FALSE(found.fall_back);
        EXPECT_FALSE(found.hint_ms);
        EXPECT_FALSE(found.from_policy);
        EXPECT_EQ(failed_calls(f.counters), 2u);
    }
}

TEST(PolicyNonsense, an_unknown_policy_is_an_error_not_a_crash) {
    Failures f(general, general, "return 1, false");
    EXPECT_EQ(f.policies->classify("failure/missing", {}).what, FailureClass::transport);
    const std::vector<Candidate> candidates(3);
    EXPECT_EQ(f.policies->order("allocation/missing", {}, candidates).order, (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(f.counters.errors, 2u);
}

TEST(PolicyNonsense, delays) {
    for (const char* code :
         {"return nil", "return '5', false", "return -1, false", "return 0/0, false", "return math.huge, false",
          "return 86400001, false", "return 5", "return 5, nil", "return 5, 1", "return {}, false"}) {
        SCOPED_TRACE(code);
        Failures f(general, general, code);
        const auto found = f.policies->backoff(FailureClass::transport, 0, std::nullopt);
        EXPECT_EQ(found.delay_ms, 60'000);
        EXPECT_FALSE(found.suspended);
        EXPECT_FALSE(found.from_policy);
        EXPECT_EQ(f.counters.nonsense, 1u);
    }
}

TEST(PolicyNonsense, the_ends_of_a_delay) {
    Failures f(general, general, "return level == 0 and 0 or 86400000 - 0.5, level > 0");
    EXPECT_EQ(f.policies->backoff(FailureClass::transport, 0, std::nullopt).delay_ms, 0);
    const auto longest = f.policies->backoff(FailureClass::transport, 1, std::nullopt);
    EXPECT_EQ(longest.delay_ms, 86'400'000);
    EXPECT_TRUE(longest.suspended);
    EXPECT_TRUE(longest.from_policy);
}

TEST(PolicyNonsense, places_in_a_queue) {
    for (const char* code :
         {"return nil", "return 5", "return {}", "return 'high'", "return { class = 'urgent' }", "return { class = 1 }",
          "return { class = 'low', turn = 5 }", "return { class = 'low', turn = ('x'):rep(257) }",
          "return { class = 'low', weight = 0 }", "return { class = 'low', weight = 1001 }",
          "return { class = 'low', weight = 1.5 }", "return { class = 'low', weight = '2' }",
          "return { class = 'low', promote_after_ms = 0 }", "return { class = 'low', promote_after_ms = 0/0 }",
          "return { class = 'low', promote_after_ms = 86400001 }"}) {
        SCOPED_TRACE(code);
        Scripts scripts;
        scripts.put("allocation/queue", "function rank(request, gate) " + std::string(code) + " end");
        Counters counters;
        ManualClock clock;
        Policies policies(scripts.load(), counters, clock);
        const auto place = policies.rank({.priority = "high", .principal = "anna"}, {});
        EXPECT_EQ(rank_classes[place.priority_class], "high");
        EXPECT_EQ(place.turn, "anna");
        EXPECT_EQ(place.weight, 1u);
        EXPECT_FALSE(place.promote_after);
        EXPECT_FALSE(place.from_policy);
        EXPECT_EQ(counters.nonsense, 1u);
    }
}

TEST(PolicyNonsense, the_ends_of_a_place) {
    Scripts scripts;
    scripts.put("allocation/queue",
                "function rank(request, gate) return { class = 'low', turn = gate.name .. gate.waiting, "
                "weight = 1000.0, promote_after_ms = 0.5, more = request } end");
    Counters counters;
    ManualClock clock;
    Policies policies(scripts.load(), counters, clock);
    const auto place = policies.rank({.priority = "high", .principal = "anna"}, {.name = "go", .waiting = 3});
    EXPECT_EQ(rank_classes[place.priority_class], "low");
    EXPECT_EQ(place.turn, "go3");
    EXPECT_EQ(place.weight, 1000u);
    EXPECT_EQ(place.promote_after, Millis(1));
    EXPECT_TRUE(place.from_policy);
    EXPECT_EQ(failed_calls(counters), 0u);
}

} // namespace
} // namespace wm::policy::test
