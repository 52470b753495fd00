// Scripts that do not end or do not stop eating.
#include "scripts.h"

namespace wm::policy::test {
namespace {

TEST(PolicyLimits, endless_work) {
    for (const char* code : {
             "while true do end",
             "repeat until false",
             "for i = 1, math.huge do end",
             "::again:: goto again",
             "local function f() return f() end f()",
             "local s = 'x' while true do s = s:upper() end",
             "while true do local _ = ('a'):rep(65536) == ('a'):rep(65536) end",
             "local t = {} for i = 1, 4096 do t[i] = -i end while true do table.sort(t) end",
             "local t = {} for i = 1, 8000 do t[i] = i end while true do table.insert(t, 1, table.remove(t)) end",
             "local t = {} for i = 1, 200 do t[i] = i end while true do table.unpack(t) end",
             "local s = ('a'):rep(60000) while true do contains(s, 'aaab') end",
             "local s = ('a'):rep(60000) while true do s:find('aaab') end",
             "while true do string.format('%99.99f', 1e300) end",
             "local n = 0 table.sort({1, 2, 3}, function(a, b) while true do n = n + 1 end end)",
         })
        expect_one_lost_call(code, &Counters::instructions);
}

TEST(PolicyLimits, memory) {
    for (const char* code : {
             "local t = {} while true do t[#t + 1] = {} end", "local t = {} for i = 1, 1e9 do t[i] = i end",
             "local s = 'x' while true do s = s .. s end",
             "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(60000) .. i end",
             "local t = {} for i = 1, 1000 do t[i] = string.format('%s%d', ('x'):rep(60000), i) end",
             "local t = {} for i = 1, 60 do t[i] = ('x'):rep(60000) end local s = table.concat(t)",
             "local function f(n) return 1 + f(n + 1) end f(1)",
             "local t = {} for i = 1, 3000 do t[i] = function() return t, i end t[i .. 'x'] = ('y'):rep(4000) .. i end",
             "local s = ('x'):rep(60000) for i = 1, 1e6 do local u = s .. i end", // nothing is held, all is copied
         })
        expect_one_lost_call(code, &Counters::memory);
}

TEST(PolicyLimits, bombs_are_refused) {
    for (const char* code : {
             "('x'):rep(1e9)",
             "('x'):rep(1e9, 'y')",
             "(''):rep(math.maxinteger, 'xx')",
             "('xx'):rep(math.maxinteger)",
             "string.format('%1000000d', 1)",
             "string.format('%.1000000f', 1)",
             "string.format(('%99d'):rep(3000), 1)",
             "string.format('%p', {})",
             "string.format('%q', 1)",
             "string.format('%')",
             "table.unpack({}, 1, 1e8)",
             "table.unpack({}, math.mininteger, math.maxinteger)",
             "local t = {} for i = 1, 5000 do t[i] = i end table.sort(t)",
             "table.concat({}, 'x', 1, 1e9)",
             "contains('x', ('y'):rep(300))",
         })
        expect_one_lost_call(code, &Counters::errors);
}

TEST(PolicyLimits, errors) {
    for (const char* code : {
             "error('on purpose')",
             "return error('in a tail call')",
             "error()",
             "error(nil)",
             "error({})",
             "error({ code = 5 })",
             "error(5)",
             "error(error)",
             "error(true)",
             "assert(false)",
             "assert(nil, 'why')",
             "assert(false, {})",
             "assert()",
             "local x = nil + 1",
             "local x = {} .. 'y'",
             "local x = '1' + 1",
             "local x = candidates[3].backend",
             "local x <close> = 5",
             "local x <close> = {}",
             "table.sort({ 3, 2, 1, 5, 4, 9, 8, 7 }, function(a, b) return a.x end)",
             "table.sort({ 3, 'x', {} })",
             "for i = 1, 10, 0 do end",
             "local f = ('x').y.z",
             "string.char(256)",
             "math.tointeger({}, 1).x = 1",
         })
        expect_one_lost_call(code, &Counters::errors);
}

TEST(PolicyLimits, comparators_that_lie_do_no_harm) {
    Patient p("local t = {} for i = 1, 200 do t[i] = i end table.sort(t, function() return true end)");
    const auto first = p.sick();
    EXPECT_TRUE(first.reason == "configured" || first.reason == "sound");
    EXPECT_EQ(p.other().reason, "other");
}

TEST(PolicyLimits, a_leak_ends_in_a_new_state) {
    Patient p("for i = 1, 100 do kept[#kept + 1] = {} end", "local kept = {}");
    for (int i = 0; i < 5000 && !p.counters.memory; ++i) p.sick();
    EXPECT_EQ(p.counters.memory, 1u);
    EXPECT_EQ(p.sick().reason, "sound");
    EXPECT_EQ(failed_calls(p.counters), 1u);
}

TEST(PolicyLimits, the_count_starts_anew_with_each_call) {
    Patient p("for i = 1, 20000 do end");
    for (int i = 0; i < 50; ++i) EXPECT_EQ(p.sick().reason, "sound");
    EXPECT_EQ(failed_calls(p.counters), 0u);
}

TEST(PolicyLimits, garbage_of_many_calls_is_no_overrun) {
    Patient p("local t = {} for i = 1, 100 do t[i] = ('x'):rep(5000) .. i end");
    for (int i = 0; i < 200; ++i) EXPECT_EQ(p.sick().reason, "sound");
    EXPECT_EQ(failed_calls(p.counters), 0u);
}

} // namespace
} // namespace wm::policy::test
