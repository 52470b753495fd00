#include "exchange/upstream_origin.h"

#include <gtest/gtest.h>

namespace wm::exchange {
namespace {

class Bound final : public plugin::BoundAdapter {
  public:
    explicit Bound(plugin::AdapterFacts facts) : facts_(std::move(facts)) {}
    const plugin::AdapterFacts& about() const override { return facts_; }
    plugin::Called<plugin::Prepared> prepare(const plugin::CallView&) const override { return plugin::Prepared{}; }
    plugin::Called<RateLimits> observe(const plugin::ReplyView&) const override { return RateLimits{}; }
    bool unframes() const override { return false; }
    plugin::Called<std::vector<plugin::OutFrame>> unframe(std::string_view, std::string_view, framing::FrameKind,
                                                          std::size_t) const override {
        return std::vector<plugin::OutFrame>();
    }

  private:
    const plugin::AdapterFacts facts_;
};

config::Backend backend(std::string address) {
    plugin::AdapterFacts facts;
    facts.endpoint = address.empty() ? "own" : "url";
    facts.hosts = {"api.example.com"};
    config::Backend out;
    out.address = std::move(address);
    out.tls_ca_file = "/etc/ca.pem";
    out.tls_verify = false;
    out.tls_identity = config::TlsIdentity{"/etc/cert.pem", "/etc/key.pem"};
    out.bound = std::make_shared<Bound>(std::move(facts));
    return out;
}

std::string going(const UpstreamOrigin& origin, std::string_view url) {
    const auto to = origin.of(url);
    if (!to) return "no: " + to.error();
    return (to->origin->tls ? "https " : "http ") + to->origin->authority() + " " + to->target;
}

TEST(UpstreamOrigin, IsTheConfiguredAddress) {
    const auto configured = backend("https://api.example.com:8443/v1");
    const UpstreamOrigin origin(configured);
    EXPECT_EQ(going(origin, "https://api.example.com:8443/v1/chat?a=b"), "https api.example.com:8443 /v1/chat?a=b");
    EXPECT_EQ(origin.of("https://api.example.com:8443/a")->origin, origin.of("https://api.example.com:8443/b")->origin);
}

TEST(UpstreamOrigin, IsTheSameForAnotherSpelling) {
    const auto configured = backend("https://api.example.com/v1");
    const UpstreamOrigin origin(configured);
    for (const char* url :
         {"https://api.example.com/v1", "https://API.example.com:443/v1", "HTTPS://api.example.com/v1"}) {
        const auto to = origin.of(url);
        ASSERT_TRUE(to) << url;
        EXPECT_EQ(*to->origin, *origin.of("https://api.example.com/v1")->origin) << url;
        EXPECT_EQ(to->target, "/v1") << url;
    }
    EXPECT_EQ(going(origin, "https://api.example.com?x=1"), "https api.example.com /?x=1");
}

TEST(UpstreamOrigin, HasWhatTheBackendSaysOfTls) {
    for (const std::string address : {"https://api.example.com", ""}) {
        const auto configured = backend(address);
        const auto to = UpstreamOrigin(configured).of("https://api.example.com/v1");
        ASSERT_TRUE(to);
        EXPECT_FALSE(to->origin->verify);
        EXPECT_EQ(to->origin->ca_file, "/etc/ca.pem");
        EXPECT_EQ(to->origin->certificate_file, "/etc/cert.pem");
        EXPECT_EQ(to->origin->key_file, "/etc/key.pem");
    }
}

TEST(UpstreamOrigin, IsNoneElsewhere) {
    const auto configured = backend("https://api.example.com/v1");
    const UpstreamOrigin origin(configured);
    for (const char* url :
         {"https://api.example.com.evil.test/v1", "https://api.example.com@evil.test/", "https://api.example.com:444/",
          "http://api.example.com/v1", "https://evil.test/https://api.example.com/", "https://api.example.com\\@evil/"})
        EXPECT_TRUE(going(origin, url).starts_with("no: ")) << url;
    const auto own = backend("");
    EXPECT_EQ(going(UpstreamOrigin(own), "https://us.example.com/"), "no: it leaves the backend's endpoint");
}

TEST(UpstreamOrigin, SendsNoTargetThatWouldBreakARequestLine) {
    const auto configured = backend("http://127.0.0.1:8080");
    const UpstreamOrigin origin(configured);
    for (const char* url : {"http://127.0.0.1:8080/a b", "http://127.0.0.1:8080/a\r\nX: y", "http://127.0.0.1:8080/#x",
                            "http://127.0.0.1:8080/\xff"})
        EXPECT_TRUE(going(origin, url).starts_with("no: ")) << url;
}

} // namespace
} // namespace wm::exchange
