#include "exchange/fields.h"

#include <gtest/gtest.h>

#include <map>

using namespace wm;
using namespace wm::exchange;

namespace {

http::RequestHead request(const std::string& fields) {
    http::RequestHead head;
    if (const auto refused = head.parse("POST /v1/messages HTTP/1.1\r\nHost: gw\r\n" + fields + "\r\n"))
        throw std::logic_error(std::string(refused->reason));
    return head;
}

http::ResponseHead response(const std::string& fields) {
    http::ResponseHead head;
    if (const auto refused = head.parse("HTTP/1.1 429 Too Many\r\nContent-Length: 0\r\n" + fields + "\r\n", false))
        throw std::logic_error(std::string(refused->reason));
    return head;
}

std::multimap<std::string, std::string> collected(const std::vector<PairView>& fields) {
    std::multimap<std::string, std::string> out;
    for (const auto& f : fields) out.emplace(lowered(f.name), f.value);
    return out;
}

TEST(FieldsForUpstream, NothingButTheListGoes) {
    const auto head =
        request("Authorization: Bearer T\r\nX-Api-Key: T\r\nApi-Key: T\r\nX-Goog-Api-Key: T\r\nCookie: s=1\r\n"
                "X-Watermaster-Key: T\r\nX-Forwarded-For: 203.0.113.9\r\nX-Gateway-Tenant: t\r\nForwarded: for=1\r\n"
                "Content-Encoding: gzip\r\nAccept-Encoding: gzip\r\nTraceparent: 00-1\r\nIdempotency-Key: i\r\n");
    EXPECT_EQ(collected(fields_for_upstream(head, "openai-chat")),
              (std::multimap<std::string, std::string>{{"traceparent", "00-1"}, {"idempotency-key", "i"}}));
}

TEST(FieldsForUpstream, VendorFieldsGoToTheirProtocolOnly) {
    const auto head =
        request("Anthropic-Version: 2023-06-01\r\nAnthropic-Beta: a\r\nAnthropic-Beta: b\r\nOpenAI-Beta: c\r\n");
    EXPECT_EQ(collected(fields_for_upstream(head, "anthropic-messages")),
              (std::multimap<std::string, std::string>{
                  {"anthropic-version", "2023-06-01"}, {"anthropic-beta", "a"}, {"anthropic-beta", "b"}}));
    EXPECT_EQ(collected(fields_for_upstream(head, "openai-responses")),
              (std::multimap<std::string, std::string>{{"openai-beta", "c"}}));
}

TEST(FieldsForUpstream, ASingletonGoesOnce) {
    const auto head = request("anthropic-version: 2023-06-01\r\nanthropic-version: 2099-01-01\r\n");
    EXPECT_EQ(collected(fields_for_upstream(head, "anthropic-messages")),
              (std::multimap<std::string, std::string>{{"anthropic-version", "2023-06-01"}}));
}

TEST(FieldsForUpstream, AFieldNamedByConnectionStays) {
    const auto head = request("Connection: keep-alive, Traceparent\r\nTraceparent: 00-1\r\n");
    EXPECT_TRUE(fields_for_upstream(head, "openai-chat").empty());
}

TEST(FieldsForClient, RateLimitsAndIdsButNoCookies) {
    const auto head = response(
        "Retry-After: 287\r\nAnthropic-RateLimit-Unified-Status: rejected\r\nX-RateLimit-Reset-Requests: 6m0s\r\n"
        "Request-Id: req_9\r\nSet-Cookie: s=1\r\nServer: up\r\nConnection: X-Up, x-request-id\r\nX-Up: 1\r\n"
        "X-Request-Id: hop\r\nX-Watermaster-Error: forged\r\nX-Relay-Backend: forged\r\n");
    std::vector<PairView> fields;
    append_fields_for_client(fields, head);
    EXPECT_EQ(collected(fields),
              (std::multimap<std::string, std::string>{{"retry-after", "287"},
                                                       {"anthropic-ratelimit-unified-status", "rejected"},
                                                       {"x-ratelimit-reset-requests", "6m0s"},
                                                       {"request-id", "req_9"}}));
}

TEST(FieldsForPolicy, LowerCaseAndWithoutCredentials) {
    const auto head = response("X-Foo: Bar\r\nSet-Cookie: s=1\r\nAuthorization: x\r\n");
    std::vector<std::string> names;
    const auto fields = collected(fields_for_policy(head, names));
    EXPECT_EQ(fields.count("x-foo"), 1u);
    EXPECT_EQ(fields.count("set-cookie") + fields.count("authorization"), 0u);
}

TEST(CredentialMembers, AreKnownInEverySpelling) {
    for (const auto* name : {"key", "KEY", "api_key", "api-key", "access_token"})
        EXPECT_TRUE(is_credential_member(name)) << name;
    for (const auto* name : {"beta", "keys", ""}) EXPECT_FALSE(is_credential_member(name)) << name;
}

} // namespace
