// The files in config/ load: quickstart as it is; the reference as it is and with every optional line taken in.
#include "config_folder.h"
#include "fake_plugins.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

using namespace wm::config;

namespace {

std::string shipped(const char* name) {
    std::ifstream in(std::filesystem::path(WM_SHIPPED_CONFIG) / name);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

struct Shipped : testing::Test {
    explicit Shipped(void (*plugins)(wm::plugin::Registry&) = add_fake_plugins) : folder(plugins) {}
    ConfigFolder folder;
    void SetUp() override {
        setenv("WATERMASTER_GO_KEY", "sk-go", 1);
        setenv("WATERMASTER_SPARE_KEY", "sk-spare", 1);
        setenv("WATERMASTER_ALICE_KEY", "wm-alice", 1);
        setenv("WATERMASTER_ADMIN_KEY", "wm-admin", 1);
        setenv("WATERMASTER_ANTHROPIC_KEY", "sk-anthropic", 1);
        setenv("WATERMASTER_GEMINI_KEY", "sk-gemini", 1);
        setenv("WATERMASTER_CODER_KEY", "sk-coder", 1);
    }
    std::shared_ptr<const Settings> load(const std::string& text, bool open) {
        folder.write(text, open);
        auto loaded = folder.load({folder.path() / "plugins", folder.path() / "policies", {}});
        if (loaded) return *loaded;
        for (const auto& problem : loaded.error()) ADD_FAILURE() << problem;
        return std::make_shared<Settings>();
    }
};

struct Translating : Shipped {
    Translating() : Shipped(add_translating_plugins) {}
};

} // namespace

TEST_F(Translating, quickstart_needs_no_key_and_no_private_file) {
    const auto settings = load(shipped("quickstart.ini"), true);
    EXPECT_EQ(settings->server.listen, "127.0.0.1:8080");
    struct Row {
        const char *model, *protocol;
        std::vector<std::string> upstream; // one per layer
    };
    const std::vector<std::string> ok{"mock-ok"}, fallback{"mock-fail-500", "mock-ok"}, broken{"mock-bad-request"};
    const std::vector<Row> rows = {
        {"quick-chat", "openai-chat", ok},
        {"fallback-chat", "openai-chat", fallback},
        {"broken-chat", "openai-chat", broken},
        {"quick-responses", "openai-responses", ok},
        {"fallback-responses", "openai-responses", fallback},
        {"broken-responses", "openai-responses", broken},
        {"quick-messages", "anthropic-messages", ok},
        {"fallback-messages", "anthropic-messages", fallback},
        {"broken-messages", "anthropic-messages", broken},
    };
    EXPECT_EQ(settings->models.size(), rows.size());
    EXPECT_EQ(settings->mounts.size(), 4u);
    for (const auto& row : rows) {
        const auto* model = settings->find_model(row.model);
        ASSERT_NE(model, nullptr) << row.model;
        EXPECT_EQ(std::count(model->protocols.begin(), model->protocols.end(), row.protocol), 1) << row.model;
        std::vector<std::string> upstream;
        for (const auto& layer : model->layers)
            for (const auto& target : layer.targets)
                upstream.push_back(settings->backends[target.backend].models[target.model].name);
        EXPECT_EQ(upstream, row.upstream) << row.model;
    }
}

// SP-010 SP-016 SP-017
TEST_F(Shipped, the_broker_lets_one_request_through) {
    const auto settings = load(shipped("single-permit.ini"), true);
    EXPECT_EQ(settings->server.listen, "127.0.0.1:18790");
    EXPECT_TRUE(settings->server.health_endpoints);
    EXPECT_TRUE(settings->server.prio_prefix);
    EXPECT_FALSE(settings->server.priority_header);
    ASSERT_EQ(settings->mounts.size(), 1u);
    const auto& mount = settings->mounts.at(0);
    EXPECT_EQ(mount.prefix, "");
    EXPECT_TRUE(mount.limits.all);
    EXPECT_EQ(mount.limits.pools.front().size, 1u);
    EXPECT_EQ(mount.limits.queue_timeout, wm::Millis(0));
    EXPECT_TRUE(mount.limits.queue_order.fifo);
    EXPECT_EQ(mount.retry.most, 3u);
    EXPECT_TRUE(mount.retry.on_transport && mount.retry.on_429 && !mount.retry.on_5xx);
    std::vector<wm::Millis> waits;
    for (const int seconds : {2, 3, 5, 5, 8, 8, 10}) waits.emplace_back(seconds * 1000);
    EXPECT_EQ(mount.retry.waits_429, waits);
    EXPECT_EQ(mount.retry.max_time_429, wm::Millis(60'000));
    EXPECT_EQ(mount.retry.min_delay, wm::Millis(0));
    EXPECT_EQ(mount.holds.settle, wm::Millis(700));
    EXPECT_EQ(mount.holds.release_cooldown + mount.holds.cancel_cooldown + mount.holds.failure_hold, wm::Millis(0));
    EXPECT_FALSE(mount.breaker.on);
    EXPECT_EQ(mount.silence, wm::Millis(300'000));
    EXPECT_EQ(mount.total, wm::Millis(7'200'000));
}

TEST_F(Translating, shows_the_defaults) {
    const auto settings = load(shipped("watermaster.ini"), true);
    const Server is = settings->server, was;
    EXPECT_EQ(is.listen, was.listen);
    EXPECT_EQ(is.loops, was.loops);
    EXPECT_EQ(is.workers, was.workers);
    EXPECT_EQ(is.max_inference_body, was.max_inference_body);
    EXPECT_EQ(is.max_body_memory, was.max_body_memory);
    EXPECT_EQ(is.max_head, was.max_head);
    EXPECT_EQ(is.max_fields, was.max_fields);
    EXPECT_EQ(is.max_connections, was.max_connections);
    EXPECT_EQ(is.idle_timeout, was.idle_timeout);
    EXPECT_EQ(is.head_timeout, was.head_timeout);
    EXPECT_EQ(is.body_timeout, was.body_timeout);
    EXPECT_EQ(is.body_total, was.body_total);
    EXPECT_EQ(is.write_timeout, was.write_timeout);
    EXPECT_EQ(is.route_probe_wait, was.route_probe_wait);
    EXPECT_EQ(is.drain_timeout, was.drain_timeout);
    EXPECT_EQ(is.max_pins, was.max_pins);
    EXPECT_EQ(is.pin_age, was.pin_age);
    EXPECT_EQ(is.log, was.log);
    EXPECT_EQ(is.access_log, was.access_log);
    EXPECT_EQ(is.allow_anonymous, was.allow_anonymous);
    EXPECT_EQ(is.health_endpoints, was.health_endpoints);
    EXPECT_EQ(is.data_dir, was.data_dir);
    EXPECT_EQ(is.timeouts.connect, was.timeouts.connect);
    EXPECT_EQ(is.timeouts.read, was.timeouts.read);
    EXPECT_EQ(is.timeouts.stream_read, was.timeouts.stream_read);
    EXPECT_EQ(is.timeouts.total, was.timeouts.total);
    EXPECT_EQ(is.timeouts.heartbeat, was.timeouts.heartbeat);
    const Backend& backend = settings->backends.at(0);
    EXPECT_EQ(backend.tls_verify, Backend().tls_verify);
    EXPECT_FALSE(backend.concurrency);
    EXPECT_EQ(settings->mounts.at(0).silence, Mount().silence);
    const MountLimits limits = settings->mounts.at(0).limits, none;
    EXPECT_EQ(limits.pools.front().size, none.pools.front().size);
    EXPECT_EQ(limits.all, none.all);
    EXPECT_EQ(limits.global, none.global);
    EXPECT_EQ(limits.queue_timeout, none.queue_timeout);
    EXPECT_EQ(limits.queue_depth, none.queue_depth);
    EXPECT_EQ(limits.queue_order.fifo, none.queue_order.fifo);
    EXPECT_EQ(limits.queue_comments, none.queue_comments);
    EXPECT_EQ(settings->mounts.at(0).fields.cookies, Mount().fields.cookies);
    EXPECT_EQ(settings->mounts.at(0).keep_alives, Mount().keep_alives);
    const RetryRules retry = settings->mounts.at(0).retry, rules;
    EXPECT_EQ(retry.most, rules.most);
    EXPECT_EQ(retry.on_5xx, rules.on_5xx);
    EXPECT_EQ(retry.on_transport, rules.on_transport);
    EXPECT_EQ(retry.on_429, rules.on_429);
    EXPECT_EQ(retry.max_body, rules.max_body);
    EXPECT_EQ(retry.wait_min, rules.wait_min);
    EXPECT_EQ(retry.wait_max, rules.wait_max);
    EXPECT_EQ(retry.min_delay, rules.min_delay);
    EXPECT_EQ(retry.max_time, rules.max_time);
    EXPECT_EQ(retry.after_cap, rules.after_cap);
    EXPECT_EQ(retry.max_time_429, rules.max_time_429);
    EXPECT_EQ(retry.exhausted_429, rules.exhausted_429);
    EXPECT_EQ(is.priority_header, was.priority_header);
    EXPECT_EQ(is.prio_prefix, was.prio_prefix);
    const auto& coder = settings->mounts.at(2).transcode;
    EXPECT_EQ(coder.routes.size(), 1u);
    EXPECT_EQ(coder.max_request, MountTranscode().max_request);
    for (const auto* bounds : {&is.transcode, &coder.bounds}) {
        const TranscodeBounds defaults;
        EXPECT_EQ(bounds->response, defaults.response);
        EXPECT_EQ(bounds->frame, defaults.frame);
        EXPECT_EQ(bounds->batch, defaults.batch);
        EXPECT_EQ(bounds->held, defaults.held);
        EXPECT_EQ(bounds->error_message, defaults.error_message);
    }
    EXPECT_EQ(settings->clients.at(0).priority, Client().priority);
    EXPECT_EQ(settings->clients.at(0).max_priority, Client().max_priority);
}

// An optional key stands in the reference as "#key = value", without a space after the sign.
TEST_F(Translating, names_every_key_and_its_optional_lines_work) {
    const auto text = std::regex_replace(shipped("watermaster.ini"), std::regex("(^|\n)#([a-z0-9_]+ = )"), "$1$2");
    for (const std::string name : {"server", "ca", "client"}) folder.write_certificate(name + ".pem", name + ".key");
    const auto at_home = std::regex_replace(text, std::regex("/etc/watermaster/|/usr/[a-z]+/watermaster/"), "");
    const auto settings = load(at_home, true);
    EXPECT_TRUE(settings->server.tls);
    EXPECT_TRUE(settings->server.admin_key_digest);
    EXPECT_TRUE(settings->backends.at(0).tls_identity);
    EXPECT_TRUE(settings->backends.at(0).concurrency);
    for (const auto* key : {"listen",
                            "tls_certificate",
                            "tls_key",
                            "admin_listen",
                            "admin_key",
                            "metrics_listen",
                            "loops",
                            "workers",
                            "max_inference_body",
                            "max_body_memory",
                            "max_head",
                            "max_fields",
                            "max_connections",
                            "idle_timeout",
                            "head_timeout",
                            "body_timeout",
                            "body_total",
                            "write_timeout",
                            "route_probe_wait",
                            "drain_timeout",
                            "max_pins",
                            "pin_age",
                            "plugins",
                            "policies",
                            "log",
                            "access_log",
                            "allow_anonymous",
                            "health_endpoints",
                            "data_dir",
                            "upstream_connect",
                            "upstream_read",
                            "upstream_stream_read",
                            "upstream_total",
                            "downstream_sse_heartbeat",
                            "adapter",
                            "base_url",
                            "endpoint",
                            "concurrency",
                            "queue_timeout",
                            "queue_depth",
                            "queue_order",
                            "queue_promote_after",
                            "tls_verify",
                            "tls_ca_file",
                            "failure_policy",
                            "api_key",
                            "protocols",
                            "aliases",
                            "limit",
                            "limit_all",
                            "capabilities",
                            "transcode_max_response",
                            "transcode_max_frame",
                            "transcode_max_batch",
                            "transcode_max_held",
                            "transcode_max_error_message",
                            "transcode_max_request",
                            "transcode_route",
                            "transcode_responses_chat",
                            "transcode_messages_chat",
                            "transcode_messages_responses",
                            "transcode_allow_loss",
                            "transcode_chat_capability",
                            "transcode_allow_client_query",
                            "transcode_strict_defaults",
                            "transcode_model",
                            "transcode_auth",
                            "transcode_auth_source",
                            "transcode_auth_header",
                            "transcode_anthropic_version",
                            "global_concurrency",
                            "upstream",
                            "prefix",
                            "auth_source",
                            "auth_mode",
                            "auth_header",
                            "anthropic_version",
                            "forward_headers",
                            "forward_cookies",
                            "strip_query",
                            "retry",
                            "retry_on",
                            "retry_skip_429",
                            "retry_max_body",
                            "retry_wait_min",
                            "retry_wait_max",
                            "retry_min_delay",
                            "retry_after_cap",
                            "retry_max_time",
                            "retry_429_waits",
                            "retry_429_max_time",
                            "retry_429_exhausted",
                            "upstream_disable_keep_alives",
                            "queue_comments",
                            "prio_prefix",
                            "strategy",
                            "target",
                            "key",
                            "tenant",
                            "priority",
                            "max_priority"})
        EXPECT_NE(text.find("\n" + std::string(key) + " ="), text.npos) << key;
}
