#include "loop_fixture.h"
#include "runtime/resolver.h"
#include <atomic>
#include <future>

namespace wm::runtime {
namespace {

using Poco::Net::IPAddress;
using Poco::Net::SocketAddress;

// Answers 10.0.0.N for the Nth question, when let.
struct Oracle {
    std::atomic<int> asked = 0;
    std::atomic<bool> fails = false;
    std::mutex gate; // held: no answers

    Resolver::Lookup lookup() {
        return [this](const std::string& host) -> Resolver::Found {
            const int n = ++asked;
            const std::lock_guard wait(gate);
            if (fails) return {{}, host + " is unknown"};
            return {{IPAddress("10.0." + std::to_string(n / 256) + "." + std::to_string(n % 256)), IPAddress("::1")},
                    ""};
        };
    }
};

struct Resolvers : LoopTest {
    Oracle oracle;
    Resolver resolver{clock, 1, oracle.lookup()};
    const std::string host = "provider.example";
    std::optional<Resolved> got;

    void start(std::optional<Resolved>& out, Millis timeout = 1h) {
        into([=, this] { return resolver.resolve(loop, abort, host, 443, timeout); }, out);
    }
};

TEST_F(Resolvers, AddressesNeedNoLookup) {
    for (const std::string text : {"192.0.2.7", "::1"}) {
        got.reset();
        into([&] { return resolver.resolve(loop, abort, text, 80, 0ms); }, got);
        ASSERT_TRUE(got);
        EXPECT_EQ(got->status, Io::ok);
        EXPECT_EQ(got->addresses, std::vector{SocketAddress(IPAddress(text), 80)});
    }
    EXPECT_EQ(oracle.asked, 0);
}

TEST_F(Resolvers, NamesAreLookedUpAndRememberedForAWhile) {
    start(got);
    ASSERT_TRUE(arrives(got));
    EXPECT_EQ(got->status, Io::ok);
    EXPECT_EQ(got->addresses, (std::vector{SocketAddress("10.0.0.1", 443), SocketAddress(IPAddress("::1"), 443)}));
    clock.advance(29'999ms);
    std::optional<Resolved> again;
    start(again);
    ASSERT_TRUE(again) << "at once";
    EXPECT_EQ(again->addresses, got->addresses);
    clock.advance(1ms);
    again.reset();
    start(again);
    EXPECT_FALSE(again);
    ASSERT_TRUE(arrives(again));
    EXPECT_EQ(again->addresses.front(), SocketAddress("10.0.0.2", 443));
}

TEST_F(Resolvers, ManyShareOneLookup) {
    std::unique_lock hold(oracle.gate);
    std::optional<Resolved> results[5];
    for (auto& r : results) start(r);
    hold.unlock();
    for (auto& r : results) {
        ASSERT_TRUE(arrives(r));
        EXPECT_EQ(r->status, Io::ok);
    }
    EXPECT_EQ(oracle.asked, 1);
}

TEST_F(Resolvers, AFailureIsToldAndNotRemembered) {
    oracle.fails = true;
    start(got);
    ASSERT_TRUE(arrives(got));
    EXPECT_EQ(got->status, Io::failed);
    EXPECT_EQ(got->failure, "provider.example is unknown");
    oracle.fails = false;
    got.reset();
    start(got);
    ASSERT_TRUE(arrives(got));
    EXPECT_EQ(got->status, Io::ok);
}

TEST_F(Resolvers, TimesOutAndIsCancelledWhileTheLookupGoesOn) {
    std::unique_lock hold(oracle.gate);
    std::optional<Resolved> cancelled, before;
    start(got, 100ms);
    start(cancelled);
    settle();
    advance(100ms);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->status, Io::timed_out);
    EXPECT_FALSE(cancelled);
    abort.fire();
    loop.run_once(0ms);
    ASSERT_TRUE(cancelled);
    EXPECT_EQ(cancelled->status, Io::cancelled);
    start(before);
    ASSERT_TRUE(before);
    EXPECT_EQ(before->status, Io::cancelled);
    hold.unlock();

    Abort fresh(loop); // the answer that nobody waited for serves the next
    std::optional<Resolved> later;
    into([&] { return resolver.resolve(loop, fresh, host, 443, 1h); }, later);
    ASSERT_TRUE(arrives(later));
    EXPECT_EQ(later->addresses.front(), SocketAddress("10.0.0.1", 443));
    EXPECT_EQ(oracle.asked, 1);
}

TEST_F(Resolvers, RemembersABoundedNumberOfNames) {
    for (int i = 0; i < 2100; ++i) {
        const auto name = "h" + std::to_string(i) + ".example";
        got.reset();
        into([&] { return resolver.resolve(loop, abort, name, 1, 1h); }, got);
        ASSERT_TRUE(arrives(got));
        ASSERT_EQ(got->status, Io::ok);
    }
    EXPECT_EQ(oracle.asked, 2100);
}

TEST(SystemLookup, FindsTheLoopbackAndExplainsFailures) {
    const auto found = Resolver::system_lookup("localhost");
    ASSERT_FALSE(found.addresses.empty()) << found.failure;
    EXPECT_TRUE(found.addresses.front().isLoopback());
    const auto missing = Resolver::system_lookup(std::string(300, 'a')) /* refused without asking anybody */;
    EXPECT_TRUE(missing.addresses.empty());
    EXPECT_FALSE(missing.failure.empty());
}

} // namespace
} // namespace wm::runtime
