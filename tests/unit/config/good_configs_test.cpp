#include "config_folder.h"
#include "fake_plugins.h"

#include "config/secret_value.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace wm::config;
using wm::Millis;

namespace {

struct Good : testing::Test {
    ConfigFolder folder;
    std::shared_ptr<const Settings> load(std::string_view text, const Overrides& overrides = {}) {
        folder.write(text);
        auto loaded = folder.load(overrides);
        if (loaded) return *loaded;
        for (const auto& problem : loaded.error()) ADD_FAILURE() << problem;
        return std::make_shared<Settings>();
    }
    void TearDown() override {
        unsetenv("WATERMASTER_LOG");
        unsetenv("WATERMASTER_DATA_DIR");
    }
};

using Names = std::vector<std::string>;

} // namespace

TEST_F(Good, defaults) {
    const auto settings = load(server_part);
    const auto& server = settings->server;
    EXPECT_EQ(server.listen, "127.0.0.1:8080");
    EXPECT_FALSE(server.tls);
    EXPECT_EQ(server.max_inference_body, 32u << 20);
    EXPECT_EQ(server.route_probe_wait, Millis(5000));
    EXPECT_EQ(server.plugins, folder.path() / "plugins");
    EXPECT_EQ(server.access_log, "-");
    EXPECT_EQ(server.timeouts.total, Millis(7'200'000));
    EXPECT_EQ(settings->file, folder.file());
    EXPECT_EQ(settings->policy_names, (Names{"failure/generic", "failure/schedules"}));
    EXPECT_EQ(settings->target_count, 0u);
}

TEST_F(Good, state_scopes) {
    const auto settings =
        load(parts({server_part, "[backend \"a\"]\nadapter = url\nbase_url = https://a\nstate_scope = org.1\n"
                                 "[credential \"a\" \"k\"]\napi_key = public:x\n"
                                 "[credential \"a\" \"l\"]\napi_key = public:y\nstate_scope = other\n"
                                 "[upstream-model \"a\" \"m\"]\n"
                                 "[backend \"b\"]\nadapter = url\nbase_url = https://b\n"
                                 "[credential \"b\" \"k\"]\napi_key = public:z\n"
                                 "[upstream-model \"b\" \"m\"]\n"}));
    ASSERT_EQ(settings->backends.size(), 2u);
    EXPECT_EQ(settings->backends[0].credentials[0].state_scope, "org.1");
    EXPECT_EQ(settings->backends[0].credentials[1].state_scope, "other");
    EXPECT_EQ(settings->backends[1].credentials[0].state_scope, "");
}

TEST_F(Good, server_values) {
    folder.write_certificate("cert.pem", "key.pem");
    folder.write_file("admin.key", "let-me-in\n");
    const auto settings = load(parts(
        {server_part, "listen = [::1]:0\nloops = 3\nworkers = 4\nmax_inference_body = 1MiB\nmax_body_memory = "
                      "2MiB\nmax_head = 16KiB\n"
                      "max_fields = 50\nmax_connections = 9\nidle_timeout = 1s\nhead_timeout = 2s\nbody_timeout = 3s\n"
                      "body_total = 4s\nwrite_timeout = 5s\nroute_probe_wait = 6ms\ndrain_timeout = 0s\nmax_pins = 0\n"
                      "pin_age = 7h\nlog = debug\n"
                      "access_log = logs/../a.log\nallow_anonymous = on\nhealth_endpoints = no\ndata_dir = data\n"
                      "tls_certificate = cert.pem\ntls_key = key.pem\n"
                      "admin_listen = 0.0.0.0:0\nadmin_key = file:admin.key\nmetrics_listen = [::]:9\nupstream_connect "
                      "= 1s\nupstream_read = 2s\n"
                      "upstream_stream_read = 3s\nupstream_total = 4s\ndownstream_sse_heartbeat = 5s\n"}));
    const auto& s = settings->server;
    EXPECT_EQ(s.listen, "[::1]:0");
    EXPECT_EQ(s.loops, 3u);
    EXPECT_EQ(s.workers, 4u);
    EXPECT_EQ(s.max_inference_body, 1u << 20);
    EXPECT_EQ(s.max_body_memory, 2u << 20);
    EXPECT_EQ(s.max_head, 16u << 10);
    EXPECT_EQ(s.max_fields, 50u);
    EXPECT_EQ(s.max_connections, 9u);
    EXPECT_EQ(s.idle_timeout, Millis(1000));
    EXPECT_EQ(s.head_timeout, Millis(2000));
    EXPECT_EQ(s.body_timeout, Millis(3000));
    EXPECT_EQ(s.body_total, Millis(4000));
    EXPECT_EQ(s.write_timeout, Millis(5000));
    EXPECT_EQ(s.route_probe_wait, Millis(6));
    EXPECT_EQ(s.drain_timeout, Millis(0));
    EXPECT_EQ(s.max_pins, 0u);
    EXPECT_EQ(s.pin_age, Millis(7 * 3'600'000));
    EXPECT_EQ(s.log, "debug");
    EXPECT_EQ(s.access_log, folder.path() / "a.log");
    EXPECT_TRUE(s.allow_anonymous);
    EXPECT_FALSE(s.health_endpoints);
    EXPECT_EQ(s.data_dir, folder.path() / "data");
    ASSERT_TRUE(s.tls);
    EXPECT_EQ(s.tls->certificate, folder.path() / "cert.pem");
    EXPECT_EQ(s.tls->key, folder.path() / "key.pem");
    EXPECT_EQ(s.admin_listen, "0.0.0.0:0");
    EXPECT_EQ(s.admin_key_digest, digest_of_key("let-me-in"));
    EXPECT_EQ(s.metrics_listen, "[::]:9");
    EXPECT_EQ(s.timeouts.connect, Millis(1000));
    EXPECT_EQ(s.timeouts.read, Millis(2000));
    EXPECT_EQ(s.timeouts.stream_read, Millis(3000));
    EXPECT_EQ(s.timeouts.total, Millis(4000));
    EXPECT_EQ(s.timeouts.heartbeat, Millis(5000));
}

TEST_F(Good, backends_models_layers_and_targets) {
    folder.write_file("policies/allocation/prompt_prefix_affinity.lua", "");
    folder.write_certificate("ca.pem", "ca.key");
    folder.write_certificate("client.pem", "client.key");
    const auto settings = load(
        parts({server_part, "upstream_read = 7s\n",
               "[layer \"chat\" \"first\"]\nstrategy = prompt-prefix-affinity\ntarget = go/k1 "
               "org/model.v1:free\ntarget = own/k small\n"
               "[layer \"chat\" \"second\"]\ntarget = go/k2 org/model.v1:free\ntarget = go/k1 org/model.v1:free\n"
               "[model \"chat\"]\naliases = c1, c2\naliases = c3\n"
               "[credential \"go\" \"k1\"]\napi_key = sk-1\nconcurrency = 3\n[credential \"go\" \"k2\"]\napi_key = "
               "public:sk-2\n"
               "[backend \"go\"]\nadapter = url\nendpoint = http://up:9000/x?a=b\nstrict = yes\nroom = "
               "1KiB\nupstream_connect = 3s\n"
               "concurrency = 4\nqueue_timeout = 9s\nqueue_depth = 0\nqueue_order = fifo\nqueue_promote_after = 1m\n"
               "tls_verify = no\ntls_ca_file = ca.pem\n"
               "tls_certificate = client.pem\ntls_key = client.key\n"
               "[upstream-model \"go\" \"org/model.v1:free\"]\n"
               "[backend \"own\"]\nadapter = own\naccount = 7\n[credential \"own\" \"k\"]\napi_key = public:x\n"
               "[upstream-model \"own\" \"small\"]\n[upstream-model \"own\" \"large\"]\n"}));
    ASSERT_EQ(settings->backends.size(), 2u);
    const auto& go = settings->backends[0];
    EXPECT_EQ(go.adapter, "url");
    EXPECT_EQ(go.failure_policy, "failure/generic");
    EXPECT_EQ(go.credentials[0].api_key.reveal(), "sk-1");
    EXPECT_EQ(go.credentials[1].api_key.reveal(), "sk-2");
    EXPECT_EQ(go.models[0].protocols, (Names{"openai-chat", "anthropic-messages"}));
    EXPECT_EQ(go.timeouts.read, Millis(7000));
    EXPECT_EQ(go.timeouts.connect, Millis(3000));
    EXPECT_EQ(go.concurrency, 4u);
    EXPECT_EQ(go.credentials[0].concurrency, 3u);
    EXPECT_FALSE(go.credentials[1].concurrency);
    EXPECT_TRUE(go.limited());
    EXPECT_EQ(go.queue_depth, 0u);
    EXPECT_TRUE(go.queue_order.fifo);
    EXPECT_EQ(go.queue_order.promote_after, Millis(60'000));
    EXPECT_EQ(go.queue_timeout, Millis(9000));
    EXPECT_FALSE(go.tls_verify);
    EXPECT_EQ(go.tls_ca_file, folder.path() / "ca.pem");
    ASSERT_TRUE(go.tls_identity);
    EXPECT_EQ(go.tls_identity->certificate, folder.path() / "client.pem");
    EXPECT_EQ(go.tls_identity->key, folder.path() / "client.key");
    const auto* bound = dynamic_cast<const FakeBound*>(go.bound.get());
    ASSERT_NE(bound, nullptr);
    std::string given;
    for (const auto& [name, value] : bound->settings()) given += name + "=" + value + " ";
    EXPECT_EQ(given, "endpoint=http://up:9000/x?a=b region=eu patience=5000 strict=true room=1024 ");

    EXPECT_EQ(settings->models[0].guarded_members, (Names{"models", "route", "fallbacks"}));

    const auto& own = settings->backends[1];
    EXPECT_EQ(own.failure_policy, "failure/own_rules");
    EXPECT_EQ(own.models[0].protocols, Names{"openai-chat"});
    EXPECT_EQ(own.models[1].protocols, (Names{"openai-chat", "openai-responses"}));
    EXPECT_FALSE(own.limited());
    EXPECT_TRUE(own.tls_verify);

    ASSERT_EQ(settings->models.size(), 1u);
    const auto& chat = settings->models[0];
    EXPECT_EQ(chat.aliases, (Names{"c1", "c2", "c3"}));
    EXPECT_EQ(chat.protocols, Names{"openai-chat"});
    ASSERT_EQ(chat.layers.size(), 2u);
    EXPECT_EQ(chat.layers[0].strategy, "allocation/prompt_prefix_affinity");
    EXPECT_EQ(chat.layers[1].strategy, "allocation/random");
    const auto& first = chat.layers[0].targets;
    const auto& second = chat.layers[1].targets;
    EXPECT_EQ(first[0].name, "go/k1 org/model.v1:free");
    EXPECT_EQ(first[0].id, second[1].id);
    EXPECT_NE(first[0].id, second[0].id);
    EXPECT_EQ(first[1].backend, 1u);
    EXPECT_EQ(second[0].credential, 1u);
    EXPECT_EQ(settings->target_count, 3u);
    EXPECT_EQ(settings->policy_names,
              (Names{"failure/generic", "failure/schedules", "allocation/queue", "failure/own_rules",
                     "allocation/prompt_prefix_affinity", "allocation/random"}));
    EXPECT_EQ(settings->find_model("c3"), &chat);
    EXPECT_EQ(settings->find_model("chat"), &chat);
    EXPECT_EQ(settings->find_model("c4"), nullptr);
}

TEST_F(Good, clients_open_the_listener_and_are_kept_as_digests) {
    const auto settings =
        load(parts({server_part, "listen = 0.0.0.0:80\n[client \"alice\"]\nkey = one\nkey = two\n"
                                 "[client \"bob\"]\nkey = three\ntenant = red\npriority = low\nmax_priority = low\n"}));
    ASSERT_EQ(settings->clients.size(), 2u);
    EXPECT_EQ(settings->clients[0].tenant, "auth:alice");
    EXPECT_EQ(settings->clients[0].key_digests, (std::vector{digest_of_key("one"), digest_of_key("two")}));
    EXPECT_EQ(settings->clients[0].priority, Priority::medium);
    EXPECT_EQ(settings->clients[0].max_priority, Priority::high);
    EXPECT_EQ(settings->clients[1].tenant, "auth:red");
    EXPECT_EQ(settings->clients[1].max_priority, Priority::low);
}

TEST_F(Good, an_adapter_that_may_go_without_a_key) {
    const auto settings = load(
        parts({server_part, "[backend \"b\"]\nadapter = keyless\nbase_url = http://up\n[credential \"b\" \"none\"]\n"
                            "[upstream-model \"b\" \"m\"]\n"}));
    ASSERT_EQ(settings->backends.size(), 1u);
    EXPECT_TRUE(settings->backends[0].credentials[0].api_key.empty());
}

TEST_F(Good, the_environment_and_the_command_line_override) {
    setenv("WATERMASTER_LOG", "trace", 1);
    setenv("WATERMASTER_DATA_DIR", "/var/data", 1);
    const Overrides overrides{folder.path() / "plugins", folder.path() / "policies", "127.0.0.1:9"};
    const auto settings =
        load("[server]\nplugins = no\npolicies = no\nlog = debug\ndata_dir = x\nlisten = 0.0.0.0:80\n", overrides);
    EXPECT_EQ(settings->server.log, "trace");
    EXPECT_EQ(settings->server.data_dir, "/var/data");
    EXPECT_EQ(settings->server.plugins, folder.path() / "plugins");
    EXPECT_EQ(settings->server.listen, "127.0.0.1:9");
    const auto preamble = load_preamble(folder.file(), overrides);
    ASSERT_TRUE(preamble);
    EXPECT_EQ(preamble->log, "trace");
    EXPECT_EQ(preamble->policies, folder.path() / "policies");
}

TEST_F(Good, bad_overrides_say_where_they_come_from) {
    setenv("WATERMASTER_LOG", "loud", 1);
    folder.write(server_part);
    auto loaded = folder.load({"/nowhere", {}, "0.0.0.0:80"});
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error(),
              (Problems{"command line: --plugins: no such folder; expected the folder of the plugins; got /nowhere",
                        "environment: WATERMASTER_LOG: not one of the words it may be; expected fatal, critical, "
                        "error, warning, notice, "
                        "information, debug, trace; got loud",
                        "command line: --listen: reachable from other machines while no client is configured; expected "
                        "a [client \"name\"] section, a "
                        "loopback address, or allow_anonymous = yes; got 0.0.0.0:80"}));
    loaded = folder.load({{}, {}, "80"});
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().back(),
              "command line: --listen: not an address to listen on; expected an IP address and a port, as in "
              "127.0.0.1:8080 or [::1]:8080; got 80");
}

TEST_F(Good, the_preamble_leaves_the_rest_to_load) {
    folder.write(parts({server_part, "log = debug\nworkers = 0\nnonsense\n[what]\n"}));
    const auto preamble = load_preamble(folder.file());
    ASSERT_TRUE(preamble);
    EXPECT_EQ(preamble->plugins, folder.path() / "plugins");
    EXPECT_EQ(preamble->log, "debug");
    folder.write("[server]\nplugins = no\npolicies = policies\nnonsense\n");
    const auto bad = load_preamble(folder.file());
    ASSERT_FALSE(bad);
    EXPECT_EQ(folder.without_folder(bad.error()),
              (Problems{"w.ini:2: [server] plugins: no such folder; expected the folder of the plugins; got no",
                        "w.ini:4: not understood; expected \"key = value\" with a key of a-z, 0-9 and _, a [section], "
                        "or a comment"}));
}

TEST_F(Good, a_missing_file_is_one_problem) {
    const auto loaded = folder.load();
    ASSERT_FALSE(loaded);
    EXPECT_EQ(folder.without_folder(loaded.error()),
              Problems{"w.ini: cannot be read: No such file or directory; expected a configuration file"});
    EXPECT_FALSE(load_preamble(folder.file()));
}
