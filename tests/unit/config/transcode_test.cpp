// Keys of translation: what is read, and every refusal, word for word. BC-065
#include "config_folder.h"
#include "fake_plugins.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace wm::config;

namespace {

struct Transcoding : testing::Test {
    ConfigFolder folder{add_translating_plugins};
    void SetUp() override {
        setenv("WM_TEST_KEY", "sk-1", 1);
        setenv("WM_TEST_OTHER", "sk-2", 1);
        unsetenv("WM_TEST_UNSET");
    }
    std::string text(std::string_view lines) const {
        return parts({server_part, "[mount \"a\"]\nupstream = https://up.example\n", lines});
    }
    // What the mount has of its own; kept by this fixture.
    const MountTranscode& load(std::string_view lines) {
        folder.write(text(lines), true);
        auto loaded = folder.load();
        if (!loaded)
            for (const auto& problem : loaded.error()) ADD_FAILURE() << lines << problem;
        kept_ = loaded ? *loaded : std::make_shared<const Settings>();
        static const MountTranscode none;
        return kept_->mounts.empty() ? none : kept_->mounts[0].transcode;
    }
    // `lines` begin on line 6.
    std::vector<std::string> problems(std::string_view lines) { return folder.problems(text(lines), true); }
    const std::vector<std::string>& capabilities(const Capabilities& of, std::size_t route_side) {
        const auto& route = kept_->mounts.at(0).transcode.routes.at(0);
        return dynamic_cast<const FakeOptions&>(*of.of(route_side ? *route.upstream : *route.client)).set;
    }
    std::shared_ptr<const Settings> kept_;
};

using Lines = std::vector<std::string>;
const std::string at = "w.ini:6: [mount \"a\"] ", second = "w.ini:7: [mount \"a\"] ",
                  messages = "transcode_messages_chat = yes\n";

} // namespace

TEST_F(Transcoding, IsOffByDefault) {
    const auto& none = load("");
    EXPECT_TRUE(none.routes.empty());
    EXPECT_EQ(none.max_request, 10u << 20);
}

TEST_F(Transcoding, RoutesAndPresets) {
    struct Row {
        std::string lines, client, path, upstream, upstream_path;
    };
    for (const auto& row : {
             Row{messages, "anthropic-messages", "/v1/messages", "openai-chat", "/v1/chat/completions"},
             Row{"transcode_responses_chat = yes\n", "openai-responses", "/v1/responses", "openai-chat",
                 "/v1/chat/completions"},
             Row{"transcode_messages_responses = yes\ntranscode_allow_loss = tool_schema_strictness\n",
                 "anthropic-messages", "/v1/messages", "openai-responses", "/v1/responses"},
             Row{"transcode_route = responses@/a/b=chat-completions@/c\n", "openai-responses", "/a/b", "openai-chat",
                 "/c"},
             Row{"transcode_route = openai-chat@/a = anthropic-messages@/v1/messages\n", "openai-chat", "/a",
                 "anthropic-messages", "/v1/messages"},
         }) {
        const auto& routes = load(row.lines).routes;
        ASSERT_EQ(routes.size(), 1u) << row.lines;
        EXPECT_EQ(routes[0].client->about().id, row.client);
        EXPECT_EQ(routes[0].path, row.path);
        EXPECT_EQ(routes[0].upstream->about().id, row.upstream);
        EXPECT_EQ(routes[0].upstream_path, row.upstream_path);
    }
    EXPECT_EQ(load(messages + "transcode_responses_chat = yes\n").routes.size(), 2u);
}

TEST_F(Transcoding, RefusedRoutes) {
    const std::string shape = "expected client-protocol@/client/path=upstream-protocol@/upstream/path; got ";
    for (const std::string route :
         {"x", "messages@/a", "messages=chat-completions@/b", "messages@a=chat-completions@/b",
          "@/a=chat-completions@/b", "messages@/a?b=chat-completions@/b"})
        EXPECT_EQ(problems("transcode_route = " + route + "\n"),
                  Lines{at + "transcode_route: not a route; " + shape + route});
    EXPECT_EQ(problems("transcode_route = messages@/a=chat@/b\n").at(0).substr(0, at.size() + 49),
              at + "transcode_route: no transcoder for chat; expected");
    EXPECT_EQ(problems("transcode_route = messages@/a=anthropic-messages@/b\n").size(), 1u);
    EXPECT_EQ(
        problems(messages + "transcode_messages_responses = yes\ntranscode_allow_loss = tool_schema_strictness\n"),
        Lines{second + "transcode_messages_responses: POST /v1/messages is mapped twice; expected one route for "
                       "each path; got yes"});
    EXPECT_EQ(problems("transcode_messages_responses = yes\n"),
              Lines{at +
                    "transcode_messages_responses: tools of Messages do not say how strictly their schemas bind, as "
                    "Responses want it; expected transcode_allow_loss = tool_schema_strictness in this section; "
                    "got yes"});
    EXPECT_EQ(problems("transcode_model = a=b\n"),
              Lines{at + "transcode_model: no effect without a route; expected transcode_route or a preset in this "
                         "section"});
}

TEST_F(Transcoding, NamesTheProtocolsThatCannotBeTranslated) {
    ConfigFolder plain;
    const auto found = plain.problems(text(messages), true);
    ASSERT_EQ(found.size(), 2u); // one for each of the two
    EXPECT_EQ(found[0], at + "transcode_messages_chat: anthropic-messages cannot be translated by its plugin; expected "
                             "of those that are loaded and translate: none; got yes");
}

TEST_F(Transcoding, LossesAddToTheDefaultsOrWithdrawThem) {
    const auto& usual = load(messages).approvals;
    EXPECT_TRUE(usual.request_may_lose("builtin_tools"));
    EXPECT_FALSE(usual.request_may_lose("image_input"));
    const auto& some = load(messages + "transcode_allow_loss = image_input metadata, !builtin_tools\n").approvals;
    EXPECT_TRUE(some.request_may_lose("image_input"));
    EXPECT_TRUE(some.request_may_lose("metadata"));
    EXPECT_TRUE(some.request_may_lose("usage_unknown"));
    EXPECT_FALSE(some.request_may_lose("builtin_tools"));
    const auto& strict =
        load(messages + "transcode_strict_defaults = yes\ntranscode_allow_loss = metadata\n").approvals;
    EXPECT_TRUE(strict.request_may_lose("metadata"));
    EXPECT_FALSE(strict.request_may_lose("usage_unknown"));

    EXPECT_EQ(problems(messages + "transcode_allow_loss = metadata, !metadata\n"),
              Lines{second +
                    "transcode_allow_loss: metadata is both set and withdrawn; expected metadata or !metadata; "
                    "got metadata, !metadata"});
    EXPECT_EQ(problems(messages + "transcode_allow_loss = metadata continuation\n"),
              Lines{second + "transcode_allow_loss: continuation cannot be approved: the answer would be to another "
                             "request; expected a mount without this route, or a served model with a native target; "
                             "got metadata continuation"});
    load(messages + "transcode_allow_loss = !continuation\n");
    for (const std::string name : {"imageinput", "!imageinput"})
        EXPECT_TRUE(
            problems(messages + "transcode_allow_loss = " + name + "\n")
                .at(0)
                .starts_with(second + "transcode_allow_loss: no such loss; did you mean image_input?; expected of "));
    EXPECT_TRUE(problems(messages + "transcode_allow_loss = meta\n")
                    .at(0)
                    .starts_with(second + "transcode_allow_loss: no such loss; did you mean metadata?; expected of "));
}

TEST_F(Transcoding, CapabilitiesOfEitherSide) {
    const auto& usual = load(messages).capabilities;
    EXPECT_EQ(capabilities(usual, 0), (Lines{"provider_reasoning_thinking"}));
    EXPECT_EQ(capabilities(usual, 1), (Lines{"parallel_tool_calls"}));
    const auto& some = load(messages + "transcode_chat_capability = image_input\n"
                                       "transcode_chat_capability = !provider_reasoning_thinking, system_anywhere\n")
                           .capabilities;
    EXPECT_EQ(capabilities(some, 0), (Lines{"system_anywhere"}));
    EXPECT_EQ(capabilities(some, 1), (Lines{"image_input", "parallel_tool_calls"}));
    const auto& strict =
        load(messages + "transcode_strict_defaults = yes\ntranscode_chat_capability = image_input\n").capabilities;
    EXPECT_EQ(capabilities(strict, 0), Lines{});
    EXPECT_EQ(capabilities(strict, 1), (Lines{"image_input"}));
    EXPECT_TRUE(problems(messages + "transcode_chat_capability = !images\n")
                    .at(0)
                    .starts_with(second + "transcode_chat_capability: no such capability"));
}

TEST_F(Transcoding, QueryAndModels) {
    EXPECT_EQ(load(messages).query, (Lines{"beta"}));
    EXPECT_EQ(load(messages + "transcode_allow_client_query = api-version\n").query, (Lines{"api-version", "beta"}));
    EXPECT_EQ(load(messages + "transcode_allow_client_query = !beta\n").query, Lines{});
    EXPECT_EQ(load(messages + "transcode_strict_defaults = yes\ntranscode_allow_client_query = a\n").query,
              (Lines{"a"}));
    EXPECT_EQ(problems(messages + "transcode_allow_client_query = !x\n"),
              Lines{second + "transcode_allow_client_query: x is not forwarded anyway; expected !beta; got !x"});
    EXPECT_EQ(
        problems(messages + "transcode_allow_client_query = a=b\n"),
        Lines{second + "transcode_allow_client_query: not a query member; expected names as in api-version; got a=b"});

    const auto& models = load(messages + "transcode_model = a=b, c=d/e:f\n").models;
    EXPECT_EQ(models.size(), 2u);
    EXPECT_EQ(models.at("c"), "d/e:f");
    EXPECT_EQ(problems(messages + "transcode_model = a\n"),
              Lines{second + "transcode_model: not a pair of models; expected client-model=upstream-model; got a"});
    EXPECT_EQ(problems(messages + "transcode_model = a=b, a=c\n"),
              Lines{second + "transcode_model: a is mapped twice; expected each model once; got a=b, a=c"});
}

TEST_F(Transcoding, Authentication) {
    struct Row {
        std::string lines, field, secret, version;
        bool inbound;
    };
    const std::string own = "auth_source = env:WM_TEST_KEY\n", source = "transcode_auth_source = env:WM_TEST_OTHER\n";
    for (const auto& row : {
             Row{"", "", "", "", false},
             Row{"auth_source = none\n", "", "", "", false},
             Row{own, "Authorization", "sk-1", "", false},
             Row{own + "auth_mode = x-api-key\n", "X-Api-Key", "sk-1", "2023-06-01", false},
             Row{own + "transcode_auth_source = provider\n", "Authorization", "sk-1", "", false},
             Row{own + "transcode_auth = none\n", "", "", "", false},
             Row{own + source, "Authorization", "sk-2", "", false},
             Row{source, "Authorization", "sk-2", "", false},
             Row{source + "transcode_auth = api-key\n", "Api-Key", "sk-2", "", false},
             Row{source + "transcode_auth = x-api-key\ntranscode_anthropic_version = 2024-01-01\n", "X-Api-Key", "sk-2",
                 "2024-01-01", false},
             Row{source + "transcode_auth = header\ntranscode_auth_header = X-Own\n", "X-Own", "sk-2", "", false},
             Row{source + "transcode_auth = none\n", "", "", "", false},
             Row{"transcode_auth_source = inbound\n", "Authorization", "", "", true},
             Row{"transcode_auth_source = inbound\ntranscode_auth = api-key\n", "Api-Key", "", "", true},
         }) {
        const auto& got = load(messages + row.lines);
        EXPECT_TRUE(got.auth.strips) << row.lines;
        EXPECT_EQ(got.auth.field, row.field) << row.lines;
        EXPECT_EQ(got.auth.secret.reveal(), row.secret) << row.lines;
        EXPECT_EQ(got.auth.anthropic_version, row.version) << row.lines;
        EXPECT_EQ(got.inbound, row.inbound) << row.lines;
    }
}

TEST_F(Transcoding, RefusedAuthentication) {
    const std::string wanted = "; expected transcode_auth_source = env:NAME, file:PATH or inbound beside it";
    for (const std::string mode : {"auto", "bearer", "x-api-key", "api-key"})
        EXPECT_EQ(problems(messages + "transcode_auth = " + mode + "\n"),
                  Lines{second + "transcode_auth: a mode without a credential" + wanted});
    EXPECT_EQ(problems(messages + "transcode_auth_header = X-Own\n"),
              Lines{second + "transcode_auth_header: a mode without a credential" + wanted});
    EXPECT_EQ(problems(messages + "transcode_auth_source = provider\n"),
              Lines{second +
                    "transcode_auth_source: the mount has no credential; expected auth_source in this section; "
                    "got provider"});
    EXPECT_EQ(
        problems(messages + "auth_source = env:WM_TEST_KEY\ntranscode_auth_source = provider\n"
                            "transcode_auth = bearer\n"),
        Lines{"w.ini:9: [mount \"a\"] transcode_auth: beside transcode_auth_source = provider; expected one of the "
              "two"});
    EXPECT_EQ(problems(messages + "transcode_auth_source = env:WM_TEST_UNSET\n").size(), 1u);
    EXPECT_EQ(problems(messages + "transcode_auth_source = sk-canary\n").at(0).find("canary"), std::string::npos);
    EXPECT_EQ(problems(messages + "transcode_anthropic_version = 2024-01-01\n"),
              Lines{second +
                    "transcode_anthropic_version: no effect with this authentication; expected transcode_auth = "
                    "x-api-key"});
    EXPECT_EQ(problems(messages + "transcode_auth_source = inbound\ntranscode_auth = secret\n").size(), 1u);
}

TEST_F(Transcoding, BoundsHaveDefaultsAndImpossibleOnesAreRefused) {
    const auto& usual = load(messages).bounds;
    EXPECT_EQ(usual.frame, 2u << 20);
    const auto& some = load(messages + "transcode_max_request = 1MiB\ntranscode_max_frame = 64KiB\n");
    EXPECT_EQ(some.max_request, 1u << 20);
    EXPECT_EQ(some.bounds.frame, 64u << 10);
    folder.write(
        parts({server_part, "transcode_max_held = 64KiB\n[mount \"a\"]\nupstream = https://up.example\n", messages}),
        true);
    const auto inherited = folder.load();
    ASSERT_TRUE(inherited);
    EXPECT_EQ((*inherited)->server.transcode.held, 64u << 10);
    EXPECT_EQ((*inherited)->mounts.at(0).transcode.bounds.held, 64u << 10);

    for (const std::string key :
         {"transcode_max_response", "transcode_max_frame", "transcode_max_batch", "transcode_max_held"})
        EXPECT_EQ(problems(messages + key + " = 1KiB\n").size(), 1u) << key;
    EXPECT_EQ(problems(messages + "transcode_max_batch = 64KiB\n"),
              Lines{second +
                    "transcode_max_batch: smaller than one frame; expected at least transcode_max_frame, which "
                    "is 2MiB; got 64KiB"});
    EXPECT_EQ(problems(messages + "transcode_max_frame = 16MiB\n"),
              Lines{second + "transcode_max_frame: larger than a batch; expected at most transcode_max_batch, which is "
                             "8MiB; got 16MiB"});
    EXPECT_EQ(problems(messages + "transcode_max_request_mb = 1\n"),
              Lines{second +
                    "transcode_max_request_mb: unknown key; expected transcode_max_request with the unit in its "
                    "value"});
}

TEST_F(Transcoding, AServedPathCannotBeARouteOfARootMount) {
    const auto found = folder.problems(
        parts({server_part, backend_part, model_part,
               "[mount \"a\"]\nupstream = https://up.example\ntranscode_route = messages@/v1/openai-chat=responses@/x\n"
               "transcode_allow_loss = tool_schema_strictness\n"}),
        true);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].find("the gateway itself serves /v1/openai-chat, which a route of this mount maps"),
              std::string::npos)
        << found[0];
}

TEST_F(Transcoding, CapabilitiesOfAnUpstreamModel) {
    const auto config = [&](const std::string& line) { return parts({server_part, backend_part, line, model_part}); };
    folder.write(config(""), true);
    auto loaded = folder.load();
    ASSERT_TRUE(loaded);
    const auto chat = [&](const Settings& settings) {
        return dynamic_cast<const FakeOptions*>(
            settings.backends.at(0).models.at(0).capabilities.of(*folder.transcoder("openai-chat")));
    };
    EXPECT_EQ(chat(**loaded), nullptr);
    folder.write(config("capabilities = developer_role, !image_input\n"), true);
    loaded = folder.load();
    ASSERT_TRUE(loaded) << loaded.error().front();
    ASSERT_NE(chat(**loaded), nullptr);
    EXPECT_EQ(chat(**loaded)->set, (Lines{"developer_role", "parallel_tool_calls", "reasoning_effort"}));
    EXPECT_EQ(folder.problems(config("capabilities = perhaps\n"), true).size(), 1u);
}
