#include "policy/watch.h"
#include "scripts.h"

namespace wm::policy::test {
namespace {

struct PolicyWatch : testing::Test {
    bool eventually_edited() { return !watch.edited() && watch.edited(); } // a look sees it, the next that it rests

    Scripts scripts;
    const std::filesystem::path file = scripts.folder() / "allocation/x.lua",
                                absent = scripts.folder() / "allocation/y.lua";
    Watch watch{(scripts.put("allocation/x", "one"), std::vector{file, absent})};
};

TEST_F(PolicyWatch, nothing_is_no_news) {
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(watch.edited());
}

TEST_F(PolicyWatch, an_edit_is_news_once) {
    scripts.put("allocation/x", "another");
    EXPECT_TRUE(eventually_edited());
    EXPECT_FALSE(watch.edited());
}

TEST_F(PolicyWatch, an_edit_that_goes_on_is_waited_for) {
    for (int i = 0; i < 4; ++i) {
        scripts.put("allocation/x", std::string(std::size_t(10 + i), 'x'));
        EXPECT_FALSE(watch.edited());
    }
    EXPECT_TRUE(watch.edited());
}

TEST_F(PolicyWatch, an_editor_that_renames_over_the_file) {
    scripts.put("allocation/new", "two"); // as long as the old one
    std::filesystem::last_write_time(scripts.folder() / "allocation/new.lua", std::filesystem::last_write_time(file));
    std::filesystem::rename(scripts.folder() / "allocation/new.lua", file);
    EXPECT_TRUE(eventually_edited());
}

TEST_F(PolicyWatch, a_file_that_goes_and_one_that_comes) {
    std::filesystem::remove(file);
    EXPECT_TRUE(eventually_edited());
    scripts.put("allocation/y", "new");
    EXPECT_TRUE(eventually_edited());
    scripts.put("allocation/x", "back");
    EXPECT_TRUE(eventually_edited());
}

TEST_F(PolicyWatch, a_folder_that_is_exchanged_behind_a_link) {
    namespace fs = std::filesystem;
    for (const auto* folder : {"one", "two"}) {
        fs::create_directories(scripts.folder() / folder);
        std::ofstream(scripts.folder() / folder / "z.lua") << folder;
    }
    const auto link = scripts.folder() / "now";
    fs::create_directory_symlink("one", link);
    watch = Watch({link / "z.lua"});
    fs::create_directory_symlink("two", scripts.folder() / "next");
    fs::rename(scripts.folder() / "next", link);
    EXPECT_TRUE(eventually_edited());
}

} // namespace
} // namespace wm::policy::test
