// Which requests a mount bounds, and by which of its gates.
#include "mount/limits.h"

#include <gtest/gtest.h>

namespace wm::mount {
namespace {

config::LimitPattern pattern(std::string_view text) {
    auto parsed = config::parse_limit(text);
    EXPECT_TRUE(parsed) << text;
    return parsed ? *parsed : config::LimitPattern();
}

// BC-050 BC-052 BC-062
TEST(LimitPattern, MatchesTheLastSegments) {
    struct Row {
        const char *pattern, *method, *path;
        bool match;
    };
    const Row rows[] = {
        {"POST /chat/completions", "POST", "/v1/chat/completions", true},
        {"POST /chat/completions", "POST", "/api/v2/chat/completions", true},
        {"POST /chat/completions", "POST", "/chat/completions", true},
        {"POST /chat/completions", "POST", "/v1/chat/completions/", true},
        {"POST /chat/completions", "POST", "//chat//completions", true},
        {"POST /chat/completions", "post", "/V1/Chat/COMPLETIONS", true},
        {"POST /chat/completions", "POST", "/v1/chat/completions/123", false},
        {"POST /chat/completions", "GET", "/v1/chat/completions", false},
        {"POST /chat/completions", "POST", "/v1/completions", false},
        {"POST /chat/completions", "POST", "/v1/xchat/completions", false},
        {"POST /chat/completions", "POST", "/", false},
        {"POST /chat/completions", "POST", "", false},
        {"POST /messages", "POST", "/v1/messages", true},
        {"POST /messages", "POST", "/v1/messages/count_tokens", false},
        {"POST /messages", "POST", "/v1/mess%61ges", true},
        {"POST /messages", "POST", "/v1/x%2Fmessages", false},
        {"POST /messages", "POST", "/v1/%zzmessages", false},
        {"POST /generateContent", "POST", "/v1beta/models/gemini-pro:generateContent", true},
        {"POST /gemini-pro:generateContent", "POST", "/v1beta/models/gemini-pro:generatecontent", true},
        {"POST /models/gemini-pro:generateContent:4", "POST", "/v1/models/gemini-pro/generateContent", true},
        {"POST /generateContent", "POST", "/v1beta/models/gemini-pro:streamGenerateContent", false},
    };
    for (const auto& row : rows)
        EXPECT_EQ(matches(pattern(row.pattern), row.method, row.path), row.match) << row.pattern << ' ' << row.path;
}

struct Gates : testing::Test {
    ManualClock clock;
    config::MountLimits settings;
    void limit(std::string_view text, std::size_t pool = 0) { settings.patterns.push_back({pattern(text), pool}); }
};

// BC-054 BC-055 BC-056 BC-057 BC-058 BC-059 BC-060 BC-061
TEST_F(Gates, EachRequestHasItsOwn) {
    settings.pools = {{"", 4}, {"@g", 2}, {"POST /own:1", 1}};
    settings.global = 8;
    limit("POST /free/x:unlimited");
    limit("POST /x");
    limit("POST /a:2@g", 1);
    limit("POST /b@g", 1);
    limit("POST /own:1", 2);
    const Limits limits(settings, nullptr, clock);
    const auto pool_of = [&](std::string_view path) { return limits.needed("POST", path)[0]; };
    const auto global = limits.needed("POST", "/a")[1];
    ASSERT_TRUE(global);
    EXPECT_EQ(limits.needed("POST", "/v1/free/x"), (Limits::Needed{nullptr, nullptr}));
    EXPECT_EQ(limits.needed("POST", "/nothing"), (Limits::Needed{nullptr, global}));
    EXPECT_EQ(limits.needed("GET", "/x"), (Limits::Needed{nullptr, global}));
    EXPECT_EQ(pool_of("/a"), pool_of("/b"));
    EXPECT_NE(pool_of("/x"), pool_of("/a"));
    EXPECT_NE(pool_of("/own"), pool_of("/x"));
    EXPECT_TRUE(pool_of("/own") && pool_of("/a") && pool_of("/x"));

    settings.all = true;
    const Limits all(settings, nullptr, clock);
    EXPECT_EQ(all.needed("GET", "/nothing")[0], all.needed("POST", "/x")[0]);
    EXPECT_EQ(all.needed("POST", "/free/x"), (Limits::Needed{nullptr, nullptr}));
}

TEST_F(Gates, GoOnOverAReloadByName) {
    settings.pools = {{"", 2}, {"@g", 1}};
    limit("POST /x");
    limit("POST /a@g", 1);
    const Limits before(settings, nullptr, clock);
    const auto x = before.needed("POST", "/x")[0], a = before.needed("POST", "/a")[0];
    auto inside = a->try_acquire();
    ASSERT_TRUE(inside);

    config::MountLimits changed;
    changed.pools = {{"", 5}};
    changed.patterns = {{pattern("POST /x"), 0}};
    const Limits without(changed, &before, clock);
    without.resize();
    EXPECT_EQ(without.needed("POST", "/x")[0], x);
    EXPECT_EQ(without.needed("POST", "/a")[0], nullptr);

    const Limits again(settings, &without, clock);
    again.resize();
    ASSERT_EQ(again.needed("POST", "/a")[0], a);
    EXPECT_FALSE(a->try_acquire()) << "who was inside all the time is not counted";
    inside->release();
    EXPECT_TRUE(a->try_acquire());
}

// BC-072 BC-074
TEST_F(Gates, SoManyMayWait) {
    settings.queue_depth = 2;
    const Limits limits(settings, nullptr, clock);
    {
        const auto one = limits.place(), two = limits.place();
        EXPECT_TRUE(one && two);
        EXPECT_FALSE(limits.place());
        EXPECT_EQ(limits.waiting(), 2u);
    }
    EXPECT_EQ(limits.waiting(), 0u);
    EXPECT_TRUE(limits.place());
    settings.queue_depth = 0;
    std::vector<Limits::Place> places;
    for (int i = 0; i < 100; ++i) places.push_back(limits.place());
    EXPECT_TRUE(places.back());
}

} // namespace
} // namespace wm::mount
