// Scripts that are refused before anybody depends on them.
#include "manual_clock.h"
#include "scripts.h"

namespace wm::policy::test {
namespace {

std::string refusal(std::string_view source, const std::string& name = "allocation/broken") {
    Scripts scripts;
    scripts.put(name, source);
    const auto said = scripts.refusal();
    const auto file = (scripts.folder() / (name + ".lua")).string();
    const auto at = said.find(file);
    EXPECT_NE(at, said.npos) << said;
    return at == said.npos ? said : said.substr(at + file.size()); // ":LINE: what"
}

TEST(PolicyLibrary, errors_name_file_and_line) {
    EXPECT_TRUE(refusal("\n\nfunction order( end").starts_with(":3: "));
    EXPECT_TRUE(refusal("-- fine\nlocal x = nil + 1").starts_with(":2: "));
    EXPECT_TRUE(refusal("\nerror('why not')").starts_with(":2: why not"));
    EXPECT_TRUE(refusal("\n\n\nrequire 'x'").starts_with(":4: "));
    EXPECT_TRUE(refusal("while true do end").starts_with(":1: instruction limit"));
    EXPECT_NE(refusal("local s = 'x' while true do s = s .. s end").find("memory"), std::string::npos);
    EXPECT_TRUE(refusal("-- defines nothing").starts_with(":1: expected a global function 'order', found nil"));
    EXPECT_TRUE(refusal("order = 5").starts_with(":1: expected a global function 'order', found number"));
    EXPECT_TRUE(refusal("local function order() end").starts_with(":1: "));
    EXPECT_TRUE(
        refusal("function order() end", "failure/broken").starts_with(":1: expected a global function 'classify'"));
    EXPECT_TRUE(refusal("function classify() end", "failure/schedules")
                    .starts_with(":1: expected a global function 'backoff'"));
}

TEST(PolicyLibrary, binary_chunks_are_refused) {
    EXPECT_NE(refusal(std::string_view("\x1bLuaT\0\x19\x93", 8)).find("binary"), std::string::npos);
}

TEST(PolicyLibrary, a_huge_file_is_refused) { EXPECT_EQ(refusal(std::string(300'000, ' ')), ": longer than 256 KiB"); }

TEST(PolicyLibrary, deep_nesting_is_refused) {
    const auto said = refusal("local x = " + std::string(10'000, '(') + "1");
    EXPECT_NE(said.find("overflow"), std::string::npos) << said;
}

TEST(PolicyLibrary, names_and_missing_files) {
    const Scripts scripts;
    for (const std::string name :
         {"", "random", "other/random", "allocation/../x", "/allocation/x", "allocation/", "Allocation/X"}) {
        try {
            Library::load(std::vector{scripts.folder()}, std::vector{name});
            ADD_FAILURE() << name;
        } catch (const std::runtime_error& e) {
            EXPECT_NE(std::string(e.what()).find("expected allocation/NAME"), std::string::npos) << e.what();
        }
    }
    try {
        Library::load(std::vector{scripts.folder()}, std::vector<std::string>{"allocation/absent"});
        ADD_FAILURE();
    } catch (const std::runtime_error& e) {
        EXPECT_NE(std::string(e.what()).find((scripts.folder() / "allocation/absent.lua").string()), std::string::npos)
            << e.what();
    }
}

TEST(PolicyLibrary, the_first_folder_wins) {
    Scripts own, shipped;
    own.put("allocation/x", "function order() return { 1 }, 'own' end");
    shipped.put("allocation/x", "function order() return { 1 }, 'shipped' end");
    shipped.put("allocation/y", "function order() return { 1 }, 'shipped' end");
    const auto library = Library::load(std::vector{own.folder(), shipped.folder()},
                                       std::vector<std::string>{"allocation/x", "allocation/y", "allocation/x"});
    ASSERT_EQ(library->scripts().size(), 2u);
    Counters counters;
    ManualClock clock;
    Policies policies(library, counters, clock);
    const std::vector<Candidate> candidates(1);
    EXPECT_EQ(policies.order("allocation/x", {}, candidates).reason, "own");
    EXPECT_EQ(policies.order("allocation/y", {}, candidates).reason, "shipped");
    EXPECT_EQ(counters.calls, 2u);
}

} // namespace
} // namespace wm::policy::test
