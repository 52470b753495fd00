// Ways out of the sandbox that are not there.
#include "manual_clock.h"
#include "scripts.h"

namespace wm::policy::test {
namespace {

TEST(PolicySandbox, only_the_allow_list_is_there) {
    for (const char* name : {"io",           "os",          "debug",          "package",         "coroutine",
                             "utf8",         "load",        "loadstring",     "loadfile",        "dofile",
                             "require",      "pcall",       "xpcall",         "setmetatable",    "getmetatable",
                             "rawset",       "rawget",      "collectgarbage", "print",           "warn",
                             "_G",           "_VERSION",    "string.dump",    "string.gsub",     "string.gmatch",
                             "string.match", "string.pack", "string.unpack",  "string.packsize", "table.move",
                             "table.pack",   "math.random", "math.randomseed"})
        EXPECT_EQ(value_of(name), "nil") << name;
    for (const char* name :
         {"assert",       "error",          "ipairs",       "next",          "pairs",        "rawequal",
          "rawlen",       "select",         "tonumber",     "tostring",      "type",         "contains",
          "string.byte",  "string.char",    "string.find",  "string.format", "string.len",   "string.lower",
          "string.rep",   "string.reverse", "string.sub",   "string.upper",  "table.concat", "table.insert",
          "table.remove", "table.sort",     "table.unpack", "math.floor"})
        EXPECT_EQ(value_of("type(" + std::string(name) + ")"), "function") << name;
}

// Who reaches for it anyway is told what to use. What a script says itself stays as it is.
TEST(PolicySandbox, what_is_not_there_has_a_substitute) {
    const std::pair<const char*, const char*> rows[] = {
        {"print('x')", "print is not available in a policy: use the answer's reason"},
        {"pcall(order)", "pcall is not available in a policy: use what may be absent tested first"},
        {"local s = string.match('x', 'x')", "match is not available in a policy: use contains("},
        {"local s = ('x'):gsub('x', 'y')", "gsub is not available in a policy: use contains("},
        {"local r = math.random()", "random is not available in a policy: use candidate.random"},
        {"local t = os.time()", "os is not available in a policy: use the times among the arguments"},
        {"require 'x'", "require is not available in a policy: use the code in this script"},
    };
    for (const auto& [code, said] : rows) {
        Patient p(code);
        p.sick();
        EXPECT_NE(p.policies->last_problem().find(said), std::string::npos) << p.policies->last_problem();
    }
    for (const char* code : {"helper()", "error(\"a nil value (global 'print')\")"}) {
        Patient p(code);
        p.sick();
        EXPECT_EQ(p.policies->last_problem().find("not available"), std::string::npos) << p.policies->last_problem();
    }
}

TEST(PolicySandbox, strings_lead_to_the_same_subset) {
    for (const char* name : {"gsub", "gmatch", "match", "dump", "pack", "unpack", "__index", "__gc"})
        EXPECT_EQ(value_of("('x')." + std::string(name)), "nil") << name;
    EXPECT_EQ(value_of("('x'):upper()"), "X");
    EXPECT_EQ(value_of("('x').find == string.find"), "true");
}

TEST(PolicySandbox, globals_are_frozen) {
    for (const char* code : {
             "kept = 1",
             "order = nil",
             "_ENV.kept = 1",
             "_ENV['type'] = nil",
             "string.sub = nil",
             "string.evil = 1",
             "table.insert = 1",
             "math.pi = 3",
             "table.insert(_ENV, 1)",
             "table.insert(string, 1)",
             "function helper() end",
             "('x').evil = 1",
             "local s = 'x' s.upper = 1",
             "for k, v in pairs(_ENV) do error('found ' .. k) end error('nothing')",
         })
        expect_one_lost_call(code, &Counters::errors);
}

TEST(PolicySandbox, globals_set_at_load_can_be_read) {
    Patient p("return helper()", "answer = { 1, 2 } function helper() return answer, 'helped' end");
    EXPECT_EQ(p.sick().reason, "helped");
}

TEST(PolicySandbox, scripts_do_not_see_each_other) {
    Scripts scripts;
    scripts.put("allocation/one", "shared = 'one' function order() return { 1 }, shared end");
    scripts.put("allocation/two", "function order() return { 1 }, shared or 'alone' end");
    Counters counters;
    ManualClock clock;
    Policies policies(scripts.load(), counters, clock);
    const std::vector<Candidate> candidates(1);
    EXPECT_EQ(policies.order("allocation/one", {}, candidates).reason, "one");
    EXPECT_EQ(policies.order("allocation/two", {}, candidates).reason, "alone");
}

TEST(PolicySandbox, a_local_environment_reaches_nothing_more) {
    EXPECT_EQ(value_of("(function() local _ENV = {} return io end)()"), "nil");
    EXPECT_EQ(value_of("select('#', next(_ENV))"), "1");
    EXPECT_EQ(value_of("next(_ENV)"), "nil");
    EXPECT_EQ(value_of("rawlen(_ENV)"), "0");
}

TEST(PolicySandbox, close_and_for_need_metamethods_that_nobody_can_set) {
    Patient p("local a <close> = nil; local b <const> = 5; for k in next, {}, nil, nil do end");
    EXPECT_EQ(p.sick().reason, "sound");
}

TEST(PolicySandbox, arguments_that_were_kept_lead_nowhere) {
    Patient p("kept[#kept + 1] = candidates[1]; local c = kept[1]; c.index = 99; local x = c.backend; c.index = -5; x "
              "= c.backend "
              "c.index = 'text'; x = c.backend; c.index = nil; x = c.backend; x = c[1]; x = c[{}]",
              "local kept = {}");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(p.sick().reason, "sound");
    EXPECT_EQ(failed_calls(p.counters), 0u);
}

} // namespace
} // namespace wm::policy::test
