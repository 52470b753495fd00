// Which requests a mount bounds, and by which of its gates.
#include "manual_clock.h"
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
    static std::optional<gate::Part> part(const Limits& limits, std::string_view method, std::string_view path) {
        const auto need = limits.needed(method, path);
        return need ? std::optional(need->part) : std::nullopt;
    }
    void limit(std::string_view text, std::size_t pool = 0) { settings.patterns.push_back({pattern(text), pool}); }
};

// BC-054 BC-055 BC-056 BC-057 BC-058 BC-059 BC-060 BC-061
TEST_F(Gates, EachRequestHasItsOwnPart) {
    settings.pools = {{"", 4}, {"@g", 2}, {"POST /own:1", 1}};
    settings.global = 8;
    limit("POST /free/x:unlimited");
    limit("POST /x");
    limit("POST /a:2@g", 1);
    limit("POST /b@g", 1);
    limit("POST /own:1", 2);
    const Limits limits(settings, nullptr, clock);
    const auto part_of = [&](std::string_view path) { return part(limits, "POST", path); };
    EXPECT_FALSE(part_of("/v1/free/x"));
    EXPECT_EQ(part_of("/nothing"), gate::whole);
    EXPECT_EQ(part(limits, "GET", "/x"), gate::whole);
    EXPECT_EQ(part_of("/a"), part_of("/b"));
    EXPECT_NE(part_of("/x"), part_of("/a"));
    EXPECT_NE(part_of("/own"), part_of("/x"));
    for (const auto* path : {"/own", "/a", "/x"}) EXPECT_NE(part_of(path), gate::whole);
    EXPECT_EQ(limits.gate()->state().limit, 8u);
    const auto own = limits.gate()->try_acquire(*part_of("/own"));
    EXPECT_TRUE(own);
    EXPECT_FALSE(limits.gate()->try_acquire(*part_of("/own")));
    EXPECT_EQ(limits.gate()->state().in_flight, 1u) << "a part's counts in the whole";

    EXPECT_EQ(limits.needed("POST", "/nothing")->route, "");

    settings.all = true;
    const Limits all(settings, nullptr, clock);
    EXPECT_EQ(part(all, "GET", "/nothing"), part(all, "POST", "/x"));
    EXPECT_FALSE(part(all, "POST", "/free/x"));

    EXPECT_EQ(limits.needed("post", "/v1/A/")->route, "POST /a"); // as it is configured, without its size and group
    EXPECT_EQ(all.needed("GET", "/nothing")->route, Limits::any_route);
}

TEST_F(Gates, AreShownByTheirKeys) {
    settings.pools = {{"", 4}, {"@g", 2}, {"POST /own:1", 1}};
    const Limits first(settings, nullptr, clock);
    const auto names = [](const Limits& limits) {
        std::vector<std::string> out;
        for (const auto& state : limits.limiters()) out.push_back(state.name + " " + std::to_string(state.limit));
        return out;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(names(first), (Names{"concurrency 4", "@g 2", "POST /own:1 1"}));
    auto inside = first.gate()->try_acquire(first.gate()->part("@g", 2));
    config::MountLimits changed;
    changed.pools = {{"", 5}};
    changed.global = 9;
    const Limits second(changed, first.gate(), clock);
    second.resize();
    EXPECT_EQ(names(second), (Names{"concurrency 5", "@g 2", "global_concurrency 9"})) << "someone is still inside";
    inside->release();
    EXPECT_EQ(names(second), (Names{"concurrency 5", "global_concurrency 9"}));
}

TEST_F(Gates, GoOnOverAReloadByName) {
    settings.pools = {{"", 2}, {"@g", 1}};
    limit("POST /x");
    limit("POST /a@g", 1);
    const Limits before(settings, nullptr, clock);
    const auto x = *part(before, "POST", "/x"), a = *part(before, "POST", "/a");
    auto inside = before.gate()->try_acquire(a);
    ASSERT_TRUE(inside);

    config::MountLimits changed;
    changed.pools = {{"", 5}};
    changed.patterns = {{pattern("POST /x"), 0}};
    changed.global = 1;
    const Limits without(changed, before.gate(), clock);
    without.resize();
    EXPECT_EQ(without.gate(), before.gate());
    EXPECT_EQ(part(without, "POST", "/x"), x);
    EXPECT_EQ(part(without, "POST", "/a"), gate::whole);
    EXPECT_FALSE(without.gate()->try_acquire(x)) << "who was inside all the time is not counted in the whole";

    const Limits again(settings, without.gate(), clock);
    again.resize();
    ASSERT_EQ(part(again, "POST", "/a"), a);
    EXPECT_FALSE(again.gate()->try_acquire(a)) << "who was inside all the time is not counted";
    inside->release();
    EXPECT_TRUE(again.gate()->try_acquire(a));
}

} // namespace
} // namespace wm::mount
