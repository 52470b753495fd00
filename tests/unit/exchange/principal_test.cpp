#include "exchange/principal.h"

#include <gtest/gtest.h>

using namespace wm;
using namespace wm::exchange;

namespace {

config::Settings settings() {
    config::Settings s;
    for (const std::string key : {"alice-key", "bob key/1"}) {
        config::Client client;
        client.name = key.substr(0, key.find_first_of("- "));
        client.tenant = "auth:" + client.name;
        client.key_digests.push_back(config::digest_of_key(key));
        s.clients.push_back(std::move(client));
    }
    return s;
}

http::RequestHead request(const std::string& target, const std::string& fields) {
    http::RequestHead head;
    if (head.parse("POST " + target + " HTTP/1.1\r\nHost: gw\r\n" + fields + "\r\n"))
        throw std::logic_error("bad head");
    return head;
}

std::string who(const std::string& fields, const std::string& target = "/x") {
    const auto s = settings();
    const auto principal = find_principal(s, request(target, fields));
    return principal ? std::string(principal->name) : "nobody";
}

TEST(Identify, EveryCarrier) {
    for (const auto* name : {"x-api-key: ", "API-KEY: ", "x-goog-api-key: ", "X-Watermaster-Key: ",
                             "Authorization: Bearer ", "authorization: bearer  "})
        EXPECT_EQ(who(std::string(name) + "alice-key\r\n"), "alice") << name;
    EXPECT_EQ(who("", "/x?a=1&key=bob%20key%2F1"), "bob");
}

TEST(Identify, WhatIsNoKeyIsNobody) {
    for (const auto* fields :
         {"", "x-api-key: alice-ke\r\n", "x-api-key: alice-key2\r\n", "x-api-key: \r\n",
          "Authorization: Basic alice-key\r\n", "Authorization: alice-key\r\n", "Cookie: alice-key\r\n"})
        EXPECT_EQ(who(fields), "nobody") << fields;
}

TEST(Identify, TheGatewaysOwnFieldComesFirst) {
    EXPECT_EQ(who("Authorization: Bearer bob key/1\r\nX-Watermaster-Key: alice-key\r\n"), "alice");
    EXPECT_EQ(who("Authorization: Bearer upstream-key\r\nX-Watermaster-Key: alice-key\r\n"), "alice");
    EXPECT_EQ(who("Authorization: Bearer placeholder\r\nx-api-key: alice-key\r\n"), "alice");
}

TEST(Identify, WithoutClientsEverybodyIsAnonymous) {
    const config::Settings none;
    const auto principal = find_principal(none, request("/x", "x-api-key: whatever\r\n"));
    ASSERT_TRUE(principal);
    EXPECT_EQ(principal->name, "anonymous");
}

config::Priority priority(config::Settings& s, const std::string& fields) {
    return find_principal(s, request("/x", fields))->priority;
}

TEST(Identify, ARequestMayAskForItsPriorityUpToItsClients) {
    using config::Priority;
    const std::string key = "x-api-key: alice-key\r\n";
    auto s = settings();
    EXPECT_EQ(priority(s, key), Priority::medium);
    EXPECT_EQ(priority(s, key + "X-Middleman-Priority: \t HIGH \r\n"), Priority::high);
    EXPECT_EQ(priority(s, key + "x-middleman-priority: low\r\n"), Priority::low);
    for (const auto* word : {"urgent", "", "highest", "high,low"})
        EXPECT_EQ(priority(s, key + "x-middleman-priority: " + word + "\r\n"), Priority::medium) << word;

    s.clients[0].priority = Priority::low;
    s.clients[0].max_priority = Priority::medium;
    EXPECT_EQ(priority(s, key), Priority::low);
    EXPECT_EQ(priority(s, key + "x-middleman-priority: urgent\r\n"), Priority::low);
    EXPECT_EQ(priority(s, key + "x-middleman-priority: high\r\n"), Priority::medium);

    s.server.priority_header = false;
    EXPECT_EQ(priority(s, key + "x-middleman-priority: medium\r\n"), Priority::low);
    config::Settings none;
    EXPECT_EQ(priority(none, "x-middleman-priority: high\r\n"), Priority::high);
}

TEST(Identify, APathMayAskForThePriorityHighWhateverTheFieldSays) {
    using config::Priority;
    auto s = settings();
    const auto urgent = [&](const std::string& fields) {
        return find_principal(s, request("/x", fields), true)->priority;
    };
    const std::string key = "x-api-key: alice-key\r\n";
    EXPECT_EQ(urgent(key), Priority::high);
    EXPECT_EQ(urgent(key + "x-middleman-priority: low\r\n"), Priority::high);
    s.server.priority_header = false;
    EXPECT_EQ(urgent(key), Priority::high);
    s.clients[0].max_priority = Priority::medium;
    EXPECT_EQ(urgent(key), Priority::medium);
    s.clients.clear();
    EXPECT_EQ(urgent(""), Priority::high);
}

} // namespace
