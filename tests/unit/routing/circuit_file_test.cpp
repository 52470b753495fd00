#include "manual_clock.h"
#include "routing/circuit_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace wm;
using namespace wm::routing;

namespace {

namespace fs = std::filesystem;

struct CircuitFileTest : testing::Test {
    const fs::path folder = fs::temp_directory_path() / ("wm-circuits-" + std::to_string(::getpid()));
    const fs::path file = folder / "circuits.json";
    ManualClock clock;
    const std::string key = "backend-canary/key model #0123456789abcdef";

    ~CircuitFileTest() override { fs::remove_all(folder); }

    CircuitSnapshot suspended() const {
        CircuitSnapshot c;
        c.mode = CircuitMode::suspended;
        c.before_probe = CircuitMode::open;
        c.reason = FailureClass::provider_auth;
        c.opened_at_ms = clock.wall_ms();
        c.next_probe_at_ms = clock.wall_ms() + 300'000;
        c.consecutive_failures = 3;
        c.levels[static_cast<unsigned char>(FailureClass::provider_auth)] = 2;
        c.generation = 7;
        return c;
    }
    void save(const CircuitSnapshot& snapshot) const { CircuitFile(folder, clock).save(key, snapshot); }
    std::optional<CircuitSnapshot> found() const { return CircuitFile(folder, clock).find(key); }
    std::string content() const {
        std::ostringstream out;
        out << std::ifstream(file).rdbuf();
        return out.str();
    }
};

TEST_F(CircuitFileTest, WhatWasSavedIsFoundByTheNextProcess) {
    EXPECT_EQ(found(), std::nullopt);
    save(suspended());
    const auto back = found();
    ASSERT_TRUE(back);
    const auto was = suspended();
    EXPECT_EQ(back->mode, was.mode);
    EXPECT_EQ(back->before_probe, was.before_probe);
    EXPECT_EQ(back->reason, was.reason);
    EXPECT_EQ(back->opened_at_ms, was.opened_at_ms);
    EXPECT_EQ(back->next_probe_at_ms, was.next_probe_at_ms);
    EXPECT_EQ(back->consecutive_failures, 3u);
    EXPECT_EQ(back->levels, was.levels);
    EXPECT_EQ(CircuitFile(folder, clock).find("another"), std::nullopt);
}

TEST_F(CircuitFileTest, AClosedOneIsForgotten) {
    save(suspended());
    save({.generation = 8});
    EXPECT_EQ(found(), std::nullopt);
}

TEST_F(CircuitFileTest, AnOlderSaveDoesNotOvertake) {
    CircuitFile store(folder, clock);
    store.save(key, suspended());
    store.save(key, {.generation = 6});
    EXPECT_EQ(store.find(key)->mode, CircuitMode::suspended);
}

TEST_F(CircuitFileTest, NobodyElseCanReadItAndItHoldsNoName) {
    save(suspended());
    struct stat info {};
    ASSERT_EQ(::stat(file.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
    ASSERT_EQ(::stat(folder.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    EXPECT_EQ(content().find("canary"), std::string::npos);
    EXPECT_EQ(content().find("0123456789abcdef"), std::string::npos);
    EXPECT_FALSE(fs::exists(file.string() + ".new"));
}

TEST_F(CircuitFileTest, WhatNobodyAsksForGrowsOld) {
    save(suspended());
    clock.advance(std::chrono::hours(7 * 24));
    EXPECT_TRUE(found());
    clock.advance(Millis(300'000));
    EXPECT_EQ(found(), std::nullopt);
}

TEST_F(CircuitFileTest, AFileThatIsNoneIsBegunAnew) {
    fs::create_directory(folder);
    for (const char* wrong : {"", "{", "[]", R"({"format":2,"salt":"","circuits":[]})",
                              R"({"format":1,"salt":"zz","circuits":[]})", R"({"format":1,"circuits":{}})"}) {
        std::ofstream(file) << wrong;
        EXPECT_EQ(found(), std::nullopt) << wrong;
    }
    save(suspended());
    EXPECT_TRUE(found());
    auto cut = content();
    cut.resize(cut.size() / 2);
    std::ofstream(file) << cut;
    EXPECT_EQ(found(), std::nullopt);
}

TEST_F(CircuitFileTest, EntriesThatAreNoneAreLeftOut) {
    save(suspended());
    auto text = content();
    const auto at = text.find("\"suspended\"");
    ASSERT_NE(at, std::string::npos);
    std::ofstream(file) << text.replace(at, 11, "\"dangling\"");
    EXPECT_EQ(found(), std::nullopt);
}

TEST_F(CircuitFileTest, AFolderThatCannotBeIsTold) {
    fs::create_directory(folder);
    std::ofstream(folder / "in-the-way") << "x";
    try {
        const CircuitFile store(folder / "in-the-way", clock);
        FAIL();
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("[server] data_dir: " + (folder / "in-the-way").string()),
                  std::string::npos);
    }
}

} // namespace
