// What an upstream is sent: target and fields, with and without a credential.
#include "mount/request.h"

#include <gtest/gtest.h>

namespace wm::mount {
namespace {

const SystemClock clock;

struct MountRequest : testing::Test {
    http::RequestHead head;
    std::vector<std::string_view> withheld;

    void parse(const std::string& text) {
        std::string block;
        for (const char c : text) block += c == '\n' ? "\r\n" : std::string(1, c);
        const auto refusal = head.parse(block + "\r\n");
        ASSERT_FALSE(refusal) << refusal->reason;
    }
    // The lines behind the request line and Host.
    std::vector<std::string> sent(const config::Mount& settings) {
        const std::vector<config::Mount> all{settings};
        const Mounts mounts(all, clock);
        return lines_of(head_for_upstream(*mounts.find("/p"), head, head.path(), withheld));
    }
    // Of a request that goes in another form, with these fields.
    std::vector<std::string> converted(const config::Mount& settings, std::vector<PairView> fields,
                                       std::string_view credential) {
        const std::vector<config::Mount> all{settings};
        const Mounts mounts(all, clock);
        return lines_of(head_of_converted(*mounts.find("/p"), head, withheld,
                                          {.target = "/v1/other?beta=true",
                                           .fields = std::move(fields),
                                           .auth = settings.auth,
                                           .credential = credential,
                                           .length = 7}));
    }
    static std::vector<std::string> lines_of(const Result<std::string, std::string>& text) {
        if (!text) return {"error: " + text.error()};
        std::vector<std::string> lines;
        for (std::size_t at = 0; at < text->size();) {
            const auto end = text->find("\r\n", at);
            lines.push_back(text->substr(at, end - at));
            at = end + 2;
        }
        EXPECT_EQ(lines.back(), "");
        lines.pop_back();
        lines.erase(lines.begin(), lines.begin() + 2);
        return lines;
    }
    static config::Mount plain() {
        config::Mount settings;
        settings.prefix = "/p";
        settings.upstream = "https://up.example/base";
        return settings;
    }
    static config::Mount with(std::string field, std::string prefix = "", std::string version = "") {
        auto settings = plain();
        settings.auth.strips = true;
        settings.auth.field = std::move(field);
        settings.auth.prefix = std::move(prefix);
        settings.auth.secret = Secret("UPSTREAM");
        settings.auth.anthropic_version = std::move(version);
        return settings;
    }
};

using Lines = std::vector<std::string>;

// Every kind of field a client may send.
const std::string everything =
    "POST /p/x HTTP/1.1\nHost: gw\nAuthorization: Bearer C\nProxy-Authorization: Basic C\nX-Api-Key: C\n"
    "api-key: C\nX-Goog-Api-Key: C\nAnthropic-Version: v\nanthropic-beta: b\nX-Amz-Date: C\n"
    "x-goog-user-project: C\nX-Forwarded-For: C\nX-Forwarded-Host: C\nx-forwarded-proto: C\nForwarded: C\n"
    "x-watermaster-key: C\nCookie: s\nX-Own: o\nAccept-Encoding: br\nContent-Length: 0\n";

// BC-030 BC-040 BC-043: as they are, but for connection and forwarding fields.
TEST_F(MountRequest, WithoutAuthenticationFieldsAreForwarded) {
    parse(everything);
    EXPECT_EQ(sent(plain()),
              (Lines{"Authorization: Bearer C", "X-Api-Key: C", "api-key: C", "X-Goog-Api-Key: C",
                     "Anthropic-Version: v", "anthropic-beta: b", "X-Amz-Date: C", "x-goog-user-project: C",
                     "Cookie: s", "X-Own: o", "Accept-Encoding: br", "Content-Length: 0"}));
}

// BC-020 BC-022 BC-023 BC-024 BC-025 BC-026 BC-028 BC-029 BC-032 BC-033 BC-034 BC-035 BC-036 BC-039
TEST_F(MountRequest, WithAuthenticationExactlyOneCredentialIsLeft) {
    const Lines rest{"Cookie: s", "X-Own: o", "Accept-Encoding: br"};
    struct Row {
        config::Mount settings;
        Lines attached;
    };
    const Row rows[] = {
        {with("Authorization", "Bearer "), {"Authorization: Bearer UPSTREAM"}},
        {with("X-Api-Key", "", "2023-06-01"), {"X-Api-Key: UPSTREAM", "Anthropic-Version: 2023-06-01"}},
        {with("Api-Key"), {"Api-Key: UPSTREAM"}},
        {with("X-Own"), {"X-Own: UPSTREAM"}},
        {with(""), {}},
    };
    for (const auto& row : rows) {
        parse(everything);
        auto expected = rest;
        if (row.settings.auth.field == "X-Own") std::erase(expected, "X-Own: o");
        expected.insert(expected.end(), row.attached.begin(), row.attached.end());
        expected.push_back("Content-Length: 0");
        EXPECT_EQ(sent(row.settings), expected) << row.settings.auth.field;
    }
}

// What must not pass does not pass under a spelling that other servers take for the same.
TEST_F(MountRequest, UnderscoresDoNotHideAField) {
    const std::string odd = "GET /p/x HTTP/1.1\nHost: gw\nX_Api_Key: C\nX-Goog_Api-Key: C\nX_Amz_Date: C\n"
                            "Anthropic_Version: v\nX_Forwarded_For: C\nX_Watermaster_Key: C\nX_Own: o\nA_B: c\n";
    parse(odd);
    EXPECT_EQ(sent(plain()), (Lines{"X_Api_Key: C", "X-Goog_Api-Key: C", "X_Amz_Date: C", "Anthropic_Version: v",
                                    "X_Own: o", "A_B: c"}));
    EXPECT_EQ(sent(with("X-Own")), (Lines{"A_B: c", "X-Own: UPSTREAM"}));
    auto settings = with("");
    settings.fields.stripped = {"a-*", "x-own"};
    EXPECT_EQ(sent(settings), Lines{});
}

// BC-027
TEST_F(MountRequest, NoConnectionListTakesTheCredential) {
    for (const auto* list :
         {"Authorization", "X-Api-Key, authorization", "close, AUTHORIZATION", "\nConnection: Authorization"}) {
        parse(std::string("GET /p HTTP/1.1\nHost: gw\nX-Debug: 1\nAuthorization: C\nConnection: X-Debug, ") + list +
              "\n");
        EXPECT_EQ(sent(with("Authorization", "Bearer ")), Lines{"Authorization: Bearer UPSTREAM"}) << list;
    }
}

TEST_F(MountRequest, ExceptionsAreTakenAsConfigured) {
    auto settings = with("X-Api-Key", "", "2023-06-01");
    settings.fields.cookies = false;
    settings.fields.forwarded = {"anthropic-beta", "anthropic-version", "x-goog-*"};
    settings.fields.stripped = {"x-own", "accept-*"};
    parse(everything + "Anthropic-Version: w\n");
    EXPECT_EQ(sent(settings), (Lines{"Anthropic-Version: v", "anthropic-beta: b", "x-goog-user-project: C",
                                     "X-Api-Key: UPSTREAM", "Content-Length: 0"}));
}

// BC-040: a key that identified a client of the gateway stays here, wherever it stood.
TEST_F(MountRequest, WithheldValuesGoNoFurther) {
    parse("GET /p/x?a=1&key=C&key=D HTTP/1.1\nHost: gw\nAuthorization: Bearer C\nX-Api-Key: D\n");
    withheld = {*head.find("authorization"), head.query().substr(8, 1)};
    EXPECT_EQ(sent(plain()), Lines{"X-Api-Key: D"});
    const std::vector<config::Mount> all{plain()};
    const Mounts mounts(all, clock);
    EXPECT_EQ(target_for_upstream(*mounts.find("/p"), head, head.path(), withheld), "/base/x?a=1&key=D");
}

TEST_F(MountRequest, MembersOfTheQueryAreStrippedByTheirDecodedName) {
    auto settings = plain();
    settings.fields.query_stripped = {"key", "a b"};
    const std::vector<config::Mount> all{settings};
    const Mounts mounts(all, clock);
    struct Row {
        const char *query, *left;
    };
    const Row rows[] = {{"", ""},
                        {"?", "?"},
                        {"?&&x=%20&", "?&&x=%20&"},
                        {"?key=1", ""},
                        {"?k%65y=1&x", "?x"},
                        {"?x&key", "?x"},
                        {"?x=&key=&y=z", "?x=&y=z"},
                        {"?a%20b=1&a+b=1", "?a+b=1"},
                        {"?keys=1", "?keys=1"},
                        {"?%zz=1&key=2", "?%zz=1"}};
    for (const auto& row : rows) {
        parse(std::string("GET /p/x") + row.query + " HTTP/1.1\nHost: gw\n");
        EXPECT_EQ(target_for_upstream(*mounts.find("/p"), head, head.path(), {}), std::string("/base/x") + row.left)
            << row.query;
    }
}

TEST_F(MountRequest, FramingAndConnectionFieldsAreTheHopsOwn) {
    parse("POST /p HTTP/1.1\nHost: gw\nTransfer-Encoding: chunked\nTE: gzip, trailers\nTrailer: X-T\nKeep-Alive: "
          "1\nHTTP2-Settings: A\n"
          "Connection: Upgrade, TE\nUpgrade: websocket\n");
    EXPECT_EQ(sent(plain()), (Lines{"TE: trailers", "Trailer: X-T", "Upgrade: websocket", "Connection: Upgrade, TE",
                                    "Transfer-Encoding: chunked"}));
    parse("GET /p HTTP/1.1\nHost: gw\nConnection: Upgrade\nUpgrade: h2c\n");
    EXPECT_EQ(sent(plain()), Lines{});
    parse("GET /p HTTP/1.1\nHost: gw\nUpgrade: websocket\n"); // not named by Connection: not asked for
    EXPECT_EQ(sent(plain()), Lines{});
}

TEST(Mounts, AMountIsFoundByItsPrefix) {
    config::Mount a, b;
    a.prefix = "/a", a.upstream = "http://one.example:81/base";
    b.prefix = "/b/c", b.upstream = "https://[::1]";
    const std::vector<config::Mount> all{a, b};
    const Mounts mounts(all, clock);
    EXPECT_EQ(mounts.find("/a/x")->authority, "one.example:81");
    EXPECT_EQ(mounts.find("/a")->base, "/base");
    EXPECT_EQ(mounts.find("/b/c/d")->authority, "[::1]");
    EXPECT_EQ(mounts.find("/b/c/d")->base, "");
    for (const auto* path : {"/", "/b", "/ab", "/b/cd", "*"}) EXPECT_FALSE(mounts.find(path)) << path;
    EXPECT_THROW(Mounts(std::vector(1, config::Mount{}), clock), std::runtime_error);
}

TEST_F(MountRequest, AnotherFormHasTheFieldsItIsGivenAndOneCredential) {
    parse(everything);
    auto settings = with("X-Api-Key", "", "2023-06-01");
    settings.fields.forwarded = {"x-own", "anthropic-beta"};
    settings.fields.stripped = {"user-agent"};
    EXPECT_EQ(
        converted(settings, {{"Content-Type", "application/json"}, {"User-Agent", "u"}, {"x-api-key", "C"}}, "KEY"),
        (Lines{"Content-Type: application/json", "anthropic-beta: b", "X-Own: o", "X-Api-Key: KEY",
               "Anthropic-Version: 2023-06-01", "Content-Length: 7"}));
    EXPECT_EQ(converted(with("Authorization", "Bearer "), {}, ""), Lines{"Content-Length: 7"});
    EXPECT_EQ(converted(plain(), {{"X-A", "b\r\nX-Evil: 1"}}, "").front().substr(0, 6), "error:");
}

TEST_F(MountRequest, TheClientsOwnCredentialIsOneThatIsNotForTheGateway) {
    parse("POST /p/x HTTP/1.1\nHost: gw\nX-Api-Key: GATEWAY\nAuthorization: bearer  OWN\napi-key: OTHER\n");
    EXPECT_EQ(credential_of(head, withheld), "GATEWAY");
    withheld = {*head.find("x-api-key")};
    EXPECT_EQ(credential_of(head, withheld), "OWN");
    parse("POST /p/x HTTP/1.1\nHost: gw\nCookie: s\n");
    EXPECT_EQ(credential_of(head, {}), "");
}

} // namespace
} // namespace wm::mount
