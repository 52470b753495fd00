// [mount]: what is read, and every refusal, word for word. BC-006 BC-008 BC-013 BC-016 BC-021 BC-041
#include "config_folder.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace wm::config;

namespace {

struct MountSections : testing::Test {
    ConfigFolder folder;
    void SetUp() override {
        setenv("WM_TEST_KEY", "sk-1", 1);
        setenv("WM_TEST_BLANK", "", 1);
        unsetenv("WM_TEST_UNSET");
    }
    Mount load(std::string_view lines) {
        folder.write(parts({server_part, "[mount \"a\"]\nupstream = https://up.example\n", lines}), true);
        auto loaded = folder.load();
        if (!loaded)
            for (const auto& problem : loaded.error()) ADD_FAILURE() << problem;
        return loaded ? (*loaded)->mounts.at(0) : Mount();
    }
    // `lines` begin on line 6.
    std::vector<std::string> problems(std::string_view lines) {
        return folder.problems(parts({server_part, "[mount \"a\"]\nupstream = https://up.example\n", lines}), true);
    }
    std::vector<std::string> all_problems(std::string_view text) {
        return folder.problems(parts({server_part, text}), true);
    }
};

using Names = std::vector<std::string>;

} // namespace

TEST_F(MountSections, Defaults) {
    const auto mount = load("");
    EXPECT_EQ(mount.prefix, "");
    EXPECT_EQ(mount.silence, wm::Millis(300'000));
    EXPECT_TRUE(mount.tls_verify);
    EXPECT_FALSE(mount.auth.strips);
    EXPECT_TRUE(mount.fields.cookies);
    EXPECT_EQ(load("prefix = /\n").prefix, "");
    EXPECT_EQ(load("prefix = /a/b.c-d_e~f\n").prefix, "/a/b.c-d_e~f");
}

// BC-120 BC-121 BC-122 BC-123 BC-124 BC-097
TEST_F(MountSections, Retries) {
    const auto plain = load("").retry;
    EXPECT_EQ(plain.most, std::nullopt);
    EXPECT_TRUE(plain.on_5xx && plain.on_transport && !plain.on_429);
    EXPECT_EQ(plain.max_body, 5u << 20);
    EXPECT_EQ(plain.wait_min, wm::Millis(500));
    EXPECT_EQ(plain.wait_max, wm::Millis(30'000));
    EXPECT_EQ(plain.min_delay, wm::Millis(1'000));
    EXPECT_EQ(plain.max_time, wm::Millis(300'000));
    EXPECT_EQ(plain.after_cap, wm::Millis(60'000));
    EXPECT_EQ(plain.exhausted_429, Names{"insufficient_quota"});
    EXPECT_EQ(load("retry = -1\n").retry.most, std::nullopt);
    EXPECT_EQ(load("retry = 0\n").retry.most, 0u);
    EXPECT_FALSE(load("retry = 0\n").retry.any());
    const auto broker = load("retry = 3\nretry_on = transport, 429\nretry_429_waits = 2s,3s\n"
                             "retry_429_max_time = 60s\nretry_429_exhausted = spent, over\n")
                            .retry;
    EXPECT_EQ(broker.most, 3u);
    EXPECT_TRUE(!broker.on_5xx && broker.on_transport && broker.on_429);
    EXPECT_EQ(broker.waits_429, (std::vector<wm::Millis>{wm::Millis(2'000), wm::Millis(3'000)}));
    EXPECT_EQ(broker.exhausted_429, (Names{"spent", "over"}));
    EXPECT_TRUE(load("retry_skip_429 = no\n").retry.on_429);
    EXPECT_TRUE(load("").keep_alives);
    EXPECT_FALSE(load("upstream_disable_keep_alives = yes\n").keep_alives);
}

TEST_F(MountSections, RetriesThatMakeNoSense) {
    const auto bad = [&](std::string_view lines) {
        const auto found = problems(lines);
        return found.size() == 1 ? found.front().substr(found.front().find('[')) : "several";
    };
    EXPECT_EQ(bad("retry = -2\n"),
              "[mount \"a\"] retry: out of range; expected a number up to 1000000, or -1 for no bound; got -2");
    EXPECT_EQ(bad("retry_on = 5xx, 404\n"),
              "[mount \"a\"] retry_on: not one of the words it may be; expected 5xx, transport, 429; got 5xx, 404");
    EXPECT_EQ(bad("retry_on = 429\nretry_skip_429 = yes\n"),
              "[mount \"a\"] retry_skip_429: retry_on on line 6 names 429; expected no, or no 429 there; got yes");
    EXPECT_EQ(bad("retry_wait_min = 1m\n"),
              "[mount \"a\"] retry_wait_min: longer than retry_wait_max; expected at most 30s; got 1m");
    EXPECT_EQ(bad("retry_wait_max = 1ms\n"),
              "[mount \"a\"] retry_wait_max: shorter than retry_wait_min; expected at least 500ms; got 1ms");
    EXPECT_NE(bad("retry_429_waits = 2s, soon\n").find("retry_429_waits"), std::string::npos);
}

// SP-003
TEST_F(MountSections, APrefixThatAsksForAPriority) {
    const std::string mount = "[mount \"a\"]\nupstream = https://up.example\nprefix = /prio/x\n";
    EXPECT_TRUE(all_problems(mount).empty());
    const auto refused = all_problems("prio_prefix = yes\n" + mount);
    ASSERT_EQ(refused.size(), 1u);
    EXPECT_NE(refused.front().find("prio_prefix takes its first segment away"), std::string::npos) << refused.front();
}

// BC-031 BC-032 BC-033 BC-034 BC-035 BC-036 BC-039
TEST_F(MountSections, ModesOfAuthentication) {
    struct Row {
        std::string upstream, lines, field, prefix, version;
    };
    const std::string key = "auth_source = env:WM_TEST_KEY\n", version = "2023-06-01";
    const Row rows[] = {
        {"https://up.example", key, "Authorization", "Bearer ", ""},
        {"https://api.anthropic.com", key, "X-Api-Key", "", version},
        {"https://API.eu.Anthropic.com:444/x", key, "X-Api-Key", "", version},
        {"https://notanthropic.com", key, "Authorization", "Bearer ", ""},
        {"https://api.anthropic.com.example", key, "Authorization", "Bearer ", ""},
        {"https://up.example", key + "auth_mode = auto\n", "Authorization", "Bearer ", ""},
        {"https://api.anthropic.com", key + "auth_mode = bearer\n", "Authorization", "Bearer ", ""},
        {"https://up.example", key + "auth_mode = x-api-key\n", "X-Api-Key", "", version},
        {"https://up.example", key + "auth_mode = x-api-key\nanthropic_version = 2024-01-01\n", "X-Api-Key", "",
         "2024-01-01"},
        {"https://up.example", key + "auth_mode = api-key\n", "Api-Key", "", ""},
        {"https://up.example", key + "auth_mode = header:X-Goog-Api-Key\n", "X-Goog-Api-Key", "", ""},
        {"https://up.example", key + "auth_header = X-Key\n", "X-Key", "", ""},
        {"https://up.example", key + "auth_mode = header\nauth_header = X-Key\n", "X-Key", "", ""},
        {"https://up.example", key + "auth_mode = none\n", "", "", ""},
        {"https://up.example", "auth_mode = none\n", "", "", ""},
        {"https://up.example", "auth_source = none\n", "", "", ""},
    };
    for (const auto& row : rows) {
        folder.write(parts({server_part, "[mount \"a\"]\nupstream = ", row.upstream, "\n", row.lines}), true);
        const auto loaded = folder.load();
        ASSERT_TRUE(loaded) << row.lines << loaded.error().front();
        const auto& auth = (*loaded)->mounts.at(0).auth;
        EXPECT_TRUE(auth.strips) << row.lines;
        EXPECT_EQ(auth.field, row.field) << row.upstream << row.lines;
        EXPECT_EQ(auth.prefix, row.prefix) << row.lines;
        EXPECT_EQ(auth.anthropic_version, row.version) << row.lines;
        EXPECT_EQ(auth.secret.reveal(), row.lines.starts_with(key) ? "sk-1" : "") << row.lines;
    }
}

// BC-037 BC-038
TEST_F(MountSections, RefusedSources) {
    const std::string at = "w.ini:6: [mount \"a\"] ";
    EXPECT_EQ(problems("auth_source = env:WM_TEST_UNSET\n"),
              Names{at + "auth_source: environment variable WM_TEST_UNSET is not set; expected a key in it"});
    EXPECT_EQ(problems("auth_source = env:WM_TEST_BLANK\n"),
              Names{at + "auth_source: environment variable WM_TEST_BLANK is empty; expected a key"});
    EXPECT_EQ(problems("auth_source = sk-literal\n"),
              Names{at + "auth_source: not a source; expected env:NAME, file:PATH or none"});
    folder.write_file("blank", "\n");
    EXPECT_NE(problems("auth_source = file:blank\n").at(0).find("secret file blank is empty; expected a key"),
              std::string::npos);
    EXPECT_NE(problems("auth_source = file:missing\n").at(0).find("secret file missing cannot be read"),
              std::string::npos);
}

TEST_F(MountSections, RefusedModes) {
    const std::string key = "auth_source = env:WM_TEST_KEY\n", at = "w.ini:7: [mount \"a\"] ",
                      first = "w.ini:6: [mount \"a\"] ";
    const std::string modes = "expected auto, bearer, x-api-key, api-key, header:NAME or none";
    EXPECT_EQ(problems(key + "auth_mode = Bearer\n"),
              Names{at + "auth_mode: not a mode; did you mean bearer?; " + modes + "; got Bearer"});
    EXPECT_EQ(problems(key + "auth_mode = basic\n"), Names{at + "auth_mode: not a mode; " + modes + "; got basic"});
    EXPECT_EQ(problems(key + "auth_mode = header:Host\n"),
              Names{at + "auth_mode: not a mode; " + modes + "; got header:Host"});
    EXPECT_EQ(problems(key + "auth_mode = header\n").at(0),
              at + "auth_mode: header without its name; expected header:NAME, or auth_header = NAME; got header");
    EXPECT_EQ(problems(key + "auth_mode = bearer\nauth_header = X\n"),
              Names{"w.ini:8: [mount \"a\"] auth_header: beside another auth_mode; expected auth_mode = header, or no "
                    "auth_header; got X"});
    EXPECT_EQ(problems(key + "anthropic_version = 1\n"),
              Names{at + "anthropic_version: no effect with this auth_mode; expected auth_mode = x-api-key"});
    for (const auto* line : {"auth_mode = bearer\n", "auth_header = X\n", "anthropic_version = 1\n"})
        EXPECT_NE(problems(line).at(0).find(
                      "no effect without a credential; expected auth_source = env:NAME or file:PATH in this section"),
                  std::string::npos)
            << line;
    EXPECT_NE(problems("auth_source = none\nauth_mode = bearer\n").at(0).find("no effect without a credential"),
              std::string::npos);
}

TEST_F(MountSections, Exceptions) {
    const auto mount = load("auth_source = none\nforward_cookies = no\nstrip_query = key, api key\nforward_headers = "
                            "Anthropic-Beta, !X-Own\n"
                            "forward_headers = x-goog-*, !x-gateway-*\n");
    EXPECT_FALSE(mount.fields.cookies);
    EXPECT_EQ(mount.fields.query_stripped, (Names{"key", "api key"}));
    EXPECT_EQ(mount.fields.forwarded, (Names{"anthropic-beta", "x-goog-*"}));
    EXPECT_EQ(mount.fields.stripped, (Names{"x-own", "x-gateway-*"}));
    for (const auto* name :
         {"authorization", "x-api-key", "!X-Goog-Api-Key", "forwarded", "!x-forwarded-for", "cookie", "host",
          "!content-length", "connection", "x-watermaster-key", "*", "!*", "a*b", "a b", "!", "x-own"})
        EXPECT_EQ(problems(parts({"auth_source = none\nforward_headers = ", name, "\n"})).size(), 1u) << name;
    EXPECT_EQ(problems("forward_headers = anthropic-beta\n").at(0),
              "w.ini:6: [mount \"a\"] forward_headers: everything is forwarded without auth_source; expected !NAME to "
              "strip a field; got "
              "anthropic-beta");
}

TEST_F(MountSections, Places) {
    const std::string shape = "expected as in /anthropic or /team/openai: segments of letters, digits and -._~";
    for (const auto* prefix :
         {"a", "/a/", "//a", "/a//b", "/a/../b", "/.", "/a?b", "/a%20b", "/a b", "/*", "https://x"})
        EXPECT_EQ(problems(parts({"prefix = ", prefix, "\n"})),
                  Names{parts({"w.ini:6: [mount \"a\"] prefix: not a path prefix; ", shape, "; got ", prefix})});
    const auto two = [](std::string_view a, std::string_view b) {
        return parts({"[mount \"a\"]\nupstream = http://u\n", a, "[mount \"b\"]\nupstream = http://v\n", b});
    };
    EXPECT_EQ(all_problems(two("prefix = /x\n", "prefix = /x/y\n")),
              Names{"w.ini:9: [mount \"b\"] prefix: overlaps with /x of [mount \"a\"]; expected prefixes of which none "
                    "begins with all segments of "
                    "another; the other section is on line 4; got /x/y"});
    EXPECT_EQ(all_problems(two("", "prefix = /x\n")),
              Names{"w.ini:4: [mount \"a\"] prefix: missing; expected a prefix for each mount, as there are several"});
    EXPECT_TRUE(all_problems(two("prefix = /x\n", "prefix = /x2\n")).empty());
    EXPECT_EQ(
        all_problems("[mount \"a\"]\n"),
        Names{"w.ini:4: [mount \"a\"] upstream: missing; expected the upstream's URL, as in https://api.example.com"});
    EXPECT_NE(problems("upstream_raed = 3s\n").at(0).find("did you mean upstream_read?"), std::string::npos);
}

// Served endpoints may lie above a root mount alone.
TEST_F(MountSections, WhatTheGatewayServesItself) {
    for (const auto* prefix : {"/healthz", "/health", "/readyz"})
        EXPECT_NE(problems(parts({"prefix = ", prefix, "\n"})).at(0).find("the gateway itself serves "),
                  std::string::npos)
            << prefix;
    const auto beside = [&](std::string_view server, std::string_view prefix, bool models) {
        return folder.problems(parts({server_part, server, models ? backend_part : "", models ? model_part : "",
                                      "[mount \"a\"]\nupstream = http://u\n", prefix}),
                               true);
    };
    EXPECT_TRUE(beside("health_endpoints = no\n", "prefix = /health\n", false).empty());
    EXPECT_TRUE(beside("", "prefix = /v1\n", false).empty());
    EXPECT_EQ(beside("", "prefix = /v1\n", true).size(), 1u);
    EXPECT_TRUE(beside("", "", true).empty());

    folder.write(parts({server_part, "[mount \"a\"]\nupstream = http://u\n"}), true);
    EXPECT_FALSE((*folder.load())->server.health_endpoints);
    folder.write(parts({server_part, "health_endpoints = yes\n[mount \"a\"]\nupstream = http://u\n"}), true);
    EXPECT_TRUE((*folder.load())->server.health_endpoints);
    folder.write(parts({server_part, "[mount \"a\"]\nupstream = http://u\nprefix = /x\n"}), true);
    EXPECT_TRUE((*folder.load())->server.health_endpoints);
}

// BC-051 BC-053 BC-054 BC-055 BC-056 BC-059
TEST_F(MountSections, Limits) {
    const auto shown = [](const MountLimits& limits) {
        Names out;
        for (const auto& limit : limits.patterns) {
            std::string text = limit.pattern.method;
            for (const auto& segment : limit.pattern.segments) text += " " + segment;
            const auto& pool = limits.pools.at(limit.pool);
            out.push_back(text +
                          (limit.pattern.unlimited ? " free" : " [" + pool.name + "] " + std::to_string(pool.size)));
        }
        return out;
    };
    const auto defaults = load("").limits;
    EXPECT_EQ(defaults.patterns.size(), std::size(default_limits));
    EXPECT_EQ(shown(defaults).at(0), "POST chat completions [] 4");
    EXPECT_EQ(shown(load("concurrency = 7\nlimit = POST /a/b, GET /c:d\nlimit = POST /e:3\nlimit = POST /f@g, POST "
                         "/h:2@g, POST /i:unlimited\n")
                        .limits),
              (Names{"POST a b [] 7", "GET c d [] 7", "POST e [POST /e:3] 3", "POST f [@g] 2", "POST h [@g] 2",
                     "POST i free"}));
    EXPECT_EQ(shown(load("concurrency = 7\nlimit = POST /a@g\n").limits), Names{"POST a [@g] 7"});
    EXPECT_EQ(shown(load("limit = post /models/Gemini:generateContent:4\n").limits),
              Names{"post models gemini generatecontent [post /models/Gemini:generateContent:4] 4"});
    EXPECT_EQ(load("queue_timeout = 0s\n").limits.queue_timeout, wm::Millis(0));
    EXPECT_TRUE(load("queue_order = fifo\n").limits.queue_order.fifo);
}

// BC-056 BC-063
TEST_F(MountSections, RefusedLimits) {
    const std::string at = "w.ini:6: [mount \"a\"] limit: ";
    const std::string shape =
        "; expected METHOD /path, then :N or :unlimited, then @group, as in POST /messages:2@chat; got ";
    for (const auto* text : {"/messages", "POST", "POST messages", "POST  /a b", "PO:ST /a", "POST /a?b"})
        EXPECT_EQ(problems(parts({"limit = ", text, "\n"})), Names{at + "not a limit" + shape + text}) << text;
    EXPECT_EQ(problems("limit = POST /:3\n"), Names{at + "a limit without a path" + shape + "POST /:3"});
    EXPECT_EQ(problems("limit = POST /a:0\n"),
              Names{at + "out of range; expected from :1 to :1000000, or :unlimited; got POST /a:0"});
    EXPECT_EQ(problems("limit = POST /a:unlimited@g\n"),
              Names{at + "unlimited in a group; expected :unlimited without a group; got POST /a:unlimited@g"});
    EXPECT_EQ(problems("limit = POST /a@g:3\n"),
              Names{at + "not a group; expected @ and a name of letters, digits and -_. at the end; got POST /a@g:3"});
    EXPECT_EQ(
        problems("limit = POST /a:2@g\nlimit = POST /b:3@g\n"),
        Names{"w.ini:7: [mount \"a\"] limit: another size for group g; expected 2, as on line 6; got POST /b:3@g"});
    EXPECT_TRUE(problems("limit = POST /a:2@g, POST /b:2@g\n").empty());
    EXPECT_EQ(problems("concurrency = 0\n").size(), 1u);
}

// BC-099
TEST_F(MountSections, HoldsAndTheBreaker) {
    const auto usual = load("");
    EXPECT_EQ(usual.holds.release_cooldown, wm::Millis(200));
    EXPECT_EQ(usual.holds.cancel_cooldown, wm::Millis(200));
    EXPECT_EQ(usual.holds.failure_hold, wm::Millis(2'000));
    EXPECT_EQ(usual.holds.settle, wm::Millis(0));
    EXPECT_FALSE(usual.holds.adaptive_headroom);
    EXPECT_EQ(usual.holds.adaptive_headroom_window, wm::Millis(30'000));
    EXPECT_TRUE(usual.breaker.on);
    EXPECT_EQ(usual.breaker.threshold, 5u);
    EXPECT_EQ(usual.breaker.window, wm::Millis(30'000));
    EXPECT_EQ(usual.breaker.open_timeout, wm::Millis(10'000));
    EXPECT_EQ(usual.breaker.max_open_timeout, wm::Millis(120'000));
    EXPECT_EQ(usual.breaker.penalty, wm::Millis(2'000));
    EXPECT_EQ(usual.breaker.max_penalty, wm::Millis(60'000));

    const auto off = load("release_cooldown = 0s\ncancel_cooldown = 0s\nfailure_hold = 0s\ncircuit_breaker = no\n"
                          "cb_penalty = 0s\ncb_max_penalty = 0s\n");
    EXPECT_EQ(off.holds.release_cooldown + off.holds.cancel_cooldown + off.holds.failure_hold, wm::Millis(0));
    EXPECT_FALSE(off.breaker.on);
    EXPECT_EQ(off.breaker.penalty + off.breaker.max_penalty, wm::Millis(0));

    const auto longer = load("cb_open_timeout = 5m\ncb_penalty = 2m\n");
    EXPECT_EQ(longer.breaker.max_open_timeout, wm::Millis(300'000));
    EXPECT_EQ(longer.breaker.max_penalty, wm::Millis(120'000));
    EXPECT_EQ(problems("cb_open_timeout = 3s\ncb_max_open_timeout = 2s\ncb_penalty = 2s\ncb_max_penalty = 1s\n"
                       "cb_threshold = 0\nadaptive_headroom_window = 0s\n")
                  .size(),
              4u);
}
