#include "config/restart.h"

#include "config_folder.h"

#include <gtest/gtest.h>

using namespace wm::config;

namespace {

struct Restart : testing::Test {
    ConfigFolder folder;
    std::shared_ptr<Settings> load(std::string_view text) {
        folder.write(text);
        const auto loaded = folder.load();
        if (loaded) return std::make_shared<Settings>(**loaded);
        ADD_FAILURE() << loaded.error().front();
        return std::make_shared<Settings>();
    }
    std::vector<std::string> notes(const Settings& running, Settings& wanted) {
        const auto kept = keep_running(running.server, wanted);
        if (!kept) return {"refused"};
        return folder.without_folder(*kept);
    }
};

TEST_F(Restart, nothing_differs) {
    const auto running = load(server_part);
    const auto wanted = load(parts({server_part, "drain_timeout = 1s\nmax_connections = 5\nhealth_endpoints = no\n"}));
    EXPECT_TRUE(notes(*running, *wanted).empty());
    EXPECT_EQ(wanted->server.max_connections, 5u);
}

TEST_F(Restart, each_key_is_named_with_its_line_and_stays) {
    const auto running = load(parts({server_part, "workers = 3\n"}));
    const auto wanted = load(parts({server_part, "listen = 127.0.0.1:9\nloops = 4\nlog = debug\naccess_log =\n"}));
    const std::string tail = ": takes effect after a restart; running ";
    EXPECT_EQ(notes(*running, *wanted),
              (std::vector<std::string>{"w.ini:4: [server] listen" + tail + "127.0.0.1:8080; in the file 127.0.0.1:9",
                                        "w.ini:5: [server] loops" + tail + "0; in the file 4",
                                        "w.ini:1: [server] workers" + tail + "3; in the file 2",
                                        "w.ini:6: [server] log" + tail + "information; in the file debug"}));
    EXPECT_EQ(wanted->server.listen, "127.0.0.1:8080");
    EXPECT_EQ(wanted->server.loops, 0u);
    EXPECT_EQ(wanted->server.workers, 3u);
    EXPECT_EQ(wanted->server.access_log, "");
}

TEST_F(Restart, the_admin_listener_stays_as_it_began) {
    const auto running = load(parts({server_part, "admin_listen = 0.0.0.0:9\nadmin_key = public:canary\n"}));
    const auto wanted = load(server_part);
    EXPECT_EQ(notes(*running, *wanted),
              (std::vector<std::string>{
                  "w.ini:1: [server] admin_listen: takes effect after a restart; running 0.0.0.0:9; in the file none",
                  "w.ini:1: [server] admin_key: takes effect after a restart"}));
    EXPECT_EQ(wanted->server.admin_key_digest, running->server.admin_key_digest);
}

TEST_F(Restart, the_metrics_listener_stays_where_it_is) {
    const auto running = load(parts({server_part, "metrics_listen = 127.0.0.1:9\n"}));
    const auto wanted = load(server_part);
    EXPECT_EQ(notes(*running, *wanted),
              (std::vector<std::string>{"w.ini:1: [server] metrics_listen: takes effect after "
                                        "a restart; running 127.0.0.1:9; in the file none"}));
    EXPECT_EQ(wanted->server.metrics_listen, "127.0.0.1:9");
}

TEST_F(Restart, tls_comes_and_goes_with_a_restart_but_its_files_do_not) {
    folder.write_certificate("one.pem", "one.key");
    folder.write_certificate("two.pem", "two.key");
    const auto plain = load(server_part);
    const auto one = load(parts({server_part, "tls_certificate = one.pem\ntls_key = one.key\n"}));
    const auto two = load(parts({server_part, "tls_certificate = two.pem\ntls_key = two.key\n"}));
    auto wanted = *two;
    EXPECT_TRUE(notes(*one, wanted).empty());
    EXPECT_EQ(wanted.server.tls->certificate.filename(), "two.pem");
    EXPECT_EQ(notes(*plain, wanted).size(), 1u);
    EXPECT_FALSE(wanted.server.tls);
    wanted = *plain;
    EXPECT_EQ(notes(*one, wanted).size(), 1u);
    EXPECT_TRUE(wanted.server.tls);
}

TEST_F(Restart, strangers_are_not_let_in_by_a_reload) {
    const auto running = load(parts({server_part, "listen = 0.0.0.0:80\n[client \"a\"]\nkey = public:k\n"}));
    auto wanted = *load(server_part);
    const auto kept = keep_running(running->server, wanted);
    ASSERT_FALSE(kept);
    EXPECT_NE(kept.error().find("w.ini:1: [server] listen: reachable from other machines"), std::string::npos);
    wanted = *load(parts({server_part, "allow_anonymous = yes\n"}));
    EXPECT_TRUE(keep_running(running->server, wanted));
}

} // namespace
