#include "certificates.h"
#include "runtime/tls.h"
#include "stream_fixture.h"
#include <openssl/ssl.h>

namespace wm::runtime {
namespace {

using Poco::Net::Context;

struct Tls : StreamTest {
    static const Certificates& certificates() {
        static const Certificates c;
        return c;
    }
    static Context::Ptr server_for(const std::string& alt_names) {
        const auto files = certificates().issue(alt_names);
        auto context = server_context({files.certificate, files.key});
        EXPECT_TRUE(context) << context.error();
        return *context;
    }
    static Context::Ptr client_with(const ClientTls& settings) {
        auto context = client_context(settings);
        EXPECT_TRUE(context) << context.error();
        return *context;
    }
    static Context::Ptr client() { return client_with({certificates().ca()}); }

    std::optional<Stream> client_side, server_side;
    std::optional<Io> client_done, server_done;
    int client_fd = -1;

    void dial(Context::Ptr server, Context::Ptr client_tls, const std::string& host, Millis timeout = 1h) {
        auto both = connected_pair();
        shrink_buffer(both.here);
        shrink_buffer(both.there);
        client_fd = both.here.impl()->sockfd();
        server_side.emplace(loop, abort, secure_server(both.there, server), Stream::Start::accepted);
        client_side.emplace(loop, abort, *secure_client(both.here, client_tls, host), Stream::Start::connecting);
        client_done.reset();
        server_done.reset();
        into([=, this] { return server_side->handshake(timeout); }, server_done);
        into([=, this] { return client_side->handshake(timeout); }, client_done);
    }
    void established() {
        dial(server_for("DNS:gateway.example"), client(), "gateway.example");
        ASSERT_TRUE(arrives(client_done) && arrives(server_done));
        ASSERT_EQ(client_done, Io::ok) << client_side->failure();
        ASSERT_EQ(server_done, Io::ok) << server_side->failure();
    }
    void refused(const std::string& alt_names, Context::Ptr client_tls, const std::string& host,
                 const std::string& why) {
        dial(server_for(alt_names), client_tls, host);
        ASSERT_TRUE(arrives(client_done) && arrives(server_done));
        EXPECT_EQ(client_done, Io::failed);
        EXPECT_EQ(client_side->failure(), "certificate verify failed: " + why);
    }
    void send_over(Stream& from, Stream& to, const std::string& data) {
        std::optional<Io> sent;
        into([&] { return from.write(data, 1h); }, sent);
        while (to.in().size() < data.size()) {
            std::optional<Filled> got;
            into([&] { return to.fill(1h); }, got);
            ASSERT_TRUE(arrives(got));
            ASSERT_EQ(got->status, Io::ok) << to.failure();
        }
        ASSERT_TRUE(arrives(sent));
        EXPECT_EQ(sent, Io::ok);
        EXPECT_TRUE(to.in().view() == data);
        to.in().consume(data.size());
    }
    Filled fill_from(Stream& s) {
        std::optional<Filled> got;
        into([&] { return s.fill(1h); }, got);
        EXPECT_TRUE(arrives(got));
        return *got;
    }
};

TEST_F(Tls, AnOwnAuthorityIsAccepted) {
    established();
    send_over(*client_side, *server_side, "request");
    send_over(*server_side, *client_side, "answer");
}

TEST_F(Tls, MuchDataSurvivesBackPressureBothWays) {
    established();
    send_over(*client_side, *server_side, pattern(1'500'000));
    send_over(*server_side, *client_side, pattern(1'500'000));
}

TEST_F(Tls, AnotherNameIsRefused) { refused("DNS:other.example", client(), "gateway.example", "hostname mismatch"); }

TEST_F(Tls, AnAddressOfAnotherIsRefused) {
    refused("IP:127.0.0.2,DNS:127.0.0.1", client(), "127.0.0.1", "IP address mismatch");
}

// What some readers take for an address, though no certificate's check does: the name must be looked at all the same.
TEST_F(Tls, LooseSpellingsOfAnAddressAreNames) {
    for (const auto* host : {"127.1", "2130706433", "0x7f000001", "0x7f.1", "127.0.1"})
        refused("DNS:other.example", client(), host, "hostname mismatch");
}

TEST_F(Tls, AHostThatNoCertificateCanBeForIsNotSpokenTo) {
    for (const auto& host : {std::string(), std::string(300, 'a')}) {
        auto both = connected_pair();
        EXPECT_FALSE(secure_client(both.here, client(), host)) << host;
    }
}

TEST_F(Tls, AnUnknownAuthorityIsRefused) {
    const Certificates strangers;
    refused("DNS:gateway.example", client_with({strangers.ca()}), "gateway.example",
            "certificate signature failure"); // it has the same name, but another key
}

TEST_F(Tls, TheSystemsAuthoritiesDoNotKnowOurs) {
    refused("DNS:gateway.example", client_with({}), "gateway.example", "unable to get local issuer certificate");
}

TEST_F(Tls, WildcardsAndAddressesAreUnderstood) {
    for (const auto& [names, host] : {std::pair<std::string, std::string>{"DNS:*.example.org", "a.example.org"},
                                      std::pair<std::string, std::string>{"IP:127.0.0.1", "127.0.0.1"},
                                      std::pair<std::string, std::string>{"IP:::1", "::1"}}) {
        dial(server_for(names), client(), host);
        ASSERT_TRUE(arrives(client_done) && arrives(server_done));
        EXPECT_EQ(client_done, Io::ok) << host << ": " << client_side->failure();
    }
}

TEST_F(Tls, VerificationCanBeSwitchedOff) {
    dial(server_for("DNS:other.example"), client_with({"", false}), "gateway.example");
    ASSERT_TRUE(arrives(client_done) && arrives(server_done));
    EXPECT_EQ(client_done, Io::ok) << client_side->failure();
}

TEST_F(Tls, OldVersionsAreRefused) {
    auto old = client();
    SSL_CTX_set_min_proto_version(old->sslContext(), TLS1_VERSION);
    SSL_CTX_set_max_proto_version(old->sslContext(), TLS1_1_VERSION);
    SSL_CTX_set_security_level(old->sslContext(), 0);
    dial(server_for("DNS:gateway.example"), old, "gateway.example");
    ASSERT_TRUE(arrives(client_done) && arrives(server_done));
    EXPECT_EQ(server_done, Io::failed);
}

TEST_F(Tls, SessionsAreResumed) {
    auto server = server_for("DNS:gateway.example");
    auto client_tls = client();
    for (int resumed = 0; resumed < 2; ++resumed) {
        dial(server, client_tls, "gateway.example");
        ASSERT_TRUE(arrives(client_done) && arrives(server_done));
        ASSERT_EQ(client_done, Io::ok);
        EXPECT_EQ(SSL_CTX_sess_hits(server->sslContext()), resumed);
        send_over(*server_side, *client_side, "the session came before this");
    }
    dial(server, client_tls, "elsewhere.example"); // a session proves the name it was made for, and no other
    ASSERT_TRUE(arrives(client_done) && arrives(server_done));
    EXPECT_EQ(client_done, Io::failed);
}

TEST_F(Tls, AClientShowsWhoItIsAndAnotherNeverResumesAsIt) {
    auto server = server_for("DNS:gateway.example");
    SSL_CTX_load_verify_locations(server->sslContext(), certificates().ca().c_str(), nullptr);
    SSL_CTX_set_verify(server->sslContext(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    const auto files = certificates().issue("DNS:client.example");
    const auto known = client_with({certificates().ca(), true, files.certificate, files.key});
    for (int resumed = 0; resumed < 2; ++resumed) {
        dial(server, known, "gateway.example");
        ASSERT_TRUE(arrives(client_done) && arrives(server_done));
        EXPECT_EQ(server_done, Io::ok) << server_side->failure();
        EXPECT_EQ(SSL_CTX_sess_hits(server->sslContext()), resumed);
        send_over(*server_side, *client_side, "the session came before this");
    }
    dial(server, client(), "gateway.example"); // the same host, but no certificate and no session
    ASSERT_TRUE(arrives(server_done));
    EXPECT_EQ(server_done, Io::failed);
    EXPECT_EQ(SSL_CTX_sess_hits(server->sslContext()), 1);
}

TEST_F(Tls, AGoodbyeIsACleanEnd) {
    established();
    server_side.reset();
    EXPECT_EQ(fill_from(*client_side).status, Io::closed);
}

TEST_F(Tls, AnEndWithoutGoodbyeIsAFailure) {
    established();
    ::shutdown(client_fd, SHUT_RD); // as if the network had cut it
    EXPECT_EQ(fill_from(*client_side).status, Io::failed);
    EXPECT_EQ(client_side->failure(), "the connection ended without TLS's goodbye");
}

TEST_F(Tls, AnIdleStreamIsNotStaleAfterAnAnswer) {
    established();
    send_over(*client_side, *server_side, "request");
    send_over(*server_side, *client_side, "answer"); // with session tickets before it
    settle();
    EXPECT_FALSE(client_side->stale());
    server_side.reset();
    EXPECT_TRUE(until([&] { return client_side->stale(); }));
}

TEST_F(Tls, APostWaitsBehindAWriteThatIsUnderWay) {
    established();
    const auto big = pattern(2'000'000);
    into([&] { return server_side->write(big, 1h); }, written);
    settle();
    ASSERT_FALSE(written);
    EXPECT_TRUE(server_side->post("ping"));
    while (client_side->in().size() < big.size() + 4) ASSERT_EQ(fill_from(*client_side).status, Io::ok);
    EXPECT_TRUE(client_side->in().view() == big + "ping");
    ASSERT_TRUE(arrives(written));
    EXPECT_EQ(written, Io::ok);
}

TEST_F(Tls, AWriteTimesOutAndIsCancelled) {
    established();
    const auto big = pattern(2'000'000);
    std::optional<Io> other;
    into([&] { return server_side->write(big, 100ms); }, written);
    into([&] { return client_side->write(big, 1h); }, other);
    settle();
    advance(100ms);
    EXPECT_EQ(written, Io::timed_out);
    EXPECT_FALSE(other);
    abort.fire();
    settle();
    EXPECT_EQ(other, Io::cancelled);
}

// A peer that says nothing, or nonsense.
struct MutePeer : Tls {
    std::optional<Io> shaken;
    void serve(Millis timeout = 1h) {
        stream.emplace(loop, abort, secure_server(pair.here, server_for("DNS:gateway.example")),
                       Stream::Start::accepted);
        into([=, this] { return stream->handshake(timeout); }, shaken);
    }
};

TEST_F(MutePeer, AHandshakeTimesOut) {
    serve(100ms);
    settle();
    EXPECT_FALSE(shaken);
    advance(100ms);
    EXPECT_EQ(shaken, Io::timed_out);
}

TEST_F(MutePeer, AHandshakeIsCancelledWhileItWaitsAndBefore) {
    serve();
    settle();
    abort.fire();
    loop.run_once(0ms);
    EXPECT_EQ(shaken, Io::cancelled);
    std::optional<Io> again;
    into([&] { return stream->handshake(1h); }, again);
    EXPECT_EQ(again, Io::cancelled);
}

TEST_F(MutePeer, NonsenseFails) {
    serve();
    send_all(peer, "GET / HTTP/1.1\r\n\r\n");
    ASSERT_TRUE(arrives(shaken));
    EXPECT_EQ(shaken, Io::failed);
    EXPECT_EQ(stream->failure(), "TLS: http request");
}

TEST_F(MutePeer, APeerThatLeavesFails) {
    serve();
    settle();
    peer.close();
    ASSERT_TRUE(arrives(shaken));
    EXPECT_EQ(shaken, Io::failed);
    EXPECT_FALSE(stream->failure().empty());
}

TEST_F(MutePeer, APlainStreamHasNoHandshake) {
    open();
    into([&] { return stream->handshake(0ms); }, shaken);
    EXPECT_EQ(shaken, Io::ok);
}

TEST_F(Tls, ContextsSayWhatIsWrong) {
    const auto good = certificates().issue("DNS:a.example"), other = certificates().issue("DNS:b.example");
    const auto broken = certificates().write("broken.pem", "not a certificate\n");
    EXPECT_EQ(server_context({"/nowhere.pem", good.key}).error(),
              "certificate file /nowhere.pem: No such file or directory");
    EXPECT_EQ(server_context({broken, good.key}).error(), "certificate file " + broken + ": no start line");
    EXPECT_EQ(server_context({good.certificate, other.key}).error(),
              "key file " + other.key + " does not belong to certificate file " + good.certificate);
    EXPECT_EQ(client_context({"/nowhere.pem"}).error(), "CA file /nowhere.pem: No such file or directory");
    EXPECT_EQ(client_context({"", false, good.certificate, other.key}).error(),
              "key file " + other.key + " does not belong to certificate file " + good.certificate);
}

} // namespace
} // namespace wm::runtime
