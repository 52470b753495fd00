#include "exchange/backend_gates.h"
#include "manual_clock.h"

#include <gtest/gtest.h>

namespace {

using namespace wm;
using namespace wm::exchange;
using Limits = std::vector<std::pair<std::string, std::optional<unsigned>>>; // of credentials, by name

struct BackendGatesTest : testing::Test {
    static config::Settings settings(std::optional<unsigned> whole, const Limits& credentials) {
        config::Settings made;
        auto& backend = made.backends.emplace_back();
        backend.name = "b";
        backend.concurrency = whole;
        for (const auto& [name, limit] : credentials) backend.credentials.push_back({name, Secret("x"), limit});
        return made;
    }
    static config::Target target(std::uint32_t credential) { return {.backend = 0, .credential = credential}; }
    static auto take(const BackendGates& gates, std::uint32_t credential) {
        const auto* place = gates.place_of(target(credential));
        return place->gate->try_acquire(place->part);
    }
    static std::string told(const std::vector<gate::Gate::State>& limiters) {
        std::string out;
        for (const auto& one : limiters)
            out += one.name + ' ' + std::to_string(one.in_flight) + '/' + std::to_string(one.limit) + ';';
        return out;
    }
    ManualClock clock;
};

TEST_F(BackendGatesTest, NothingBoundsWhatHasNoLimit) {
    const auto plain = settings({}, {{"x", {}}});
    const BackendGates gates(plain, nullptr, clock);
    EXPECT_EQ(gates.place_of(target(0)), nullptr);
    EXPECT_EQ(gates.of(0), nullptr);
    EXPECT_EQ(gates.blamed(target(0)), gate::whole);
    EXPECT_TRUE(gates.limiters(0).empty());
    EXPECT_EQ(gates.waiting(), 0u);
}

TEST_F(BackendGatesTest, ACredentialsLimitAloneAndBesideItsBackends) {
    const auto both = settings(3, {{"x", 2}, {"y", {}}});
    const BackendGates gates(both, nullptr, clock);
    const auto first = take(gates, 0), second = take(gates, 0);
    EXPECT_TRUE(first && second);
    EXPECT_FALSE(take(gates, 0)); // its own
    auto third = take(gates, 1);
    EXPECT_TRUE(third);
    EXPECT_FALSE(take(gates, 1)); // the backend's
    EXPECT_EQ(told(gates.limiters(0)), "concurrency 3/3;credential x 2/2;");
    EXPECT_EQ(told(gates.limiters_of(target(1))), "concurrency 3/3;");
    EXPECT_NE(gates.blamed(target(0)), gate::whole);
    EXPECT_EQ(gates.blamed(target(1)), gate::whole);
    third.reset();
    EXPECT_FALSE(take(gates, 0));
    EXPECT_TRUE(take(gates, 1));

    const auto alone = settings({}, {{"x", 1}, {"y", {}}});
    const BackendGates narrow(alone, nullptr, clock);
    const auto only = take(narrow, 0);
    EXPECT_FALSE(take(narrow, 0));
    EXPECT_TRUE(take(narrow, 1));
    EXPECT_EQ(told(narrow.limiters(0)), "credential x 1/1;");
}

TEST_F(BackendGatesTest, WhoIsInsideStaysCounted) {
    const auto before = settings(5, {{"x", 2}, {"gone", 1}});
    const BackendGates first(before, nullptr, clock);
    const auto inside = take(first, 0);
    const auto after = settings({}, {{"new", 1}, {"x", 1}});
    const BackendGates second(after, &first, clock);
    EXPECT_TRUE(take(second, 1)); // not in effect yet: there are two places
    second.resize();
    EXPECT_FALSE(take(second, 1));
    EXPECT_TRUE(take(second, 0));
    EXPECT_EQ(told(second.limiters(0)), "credential x 1/1;credential new 0/1;");
}

TEST_F(BackendGatesTest, WhoWaitsForAKeyThatIsGoneDoesSoUnderItsLastLimit) {
    const auto before = settings({}, {{"x", 1}, {"gone", 1}});
    const BackendGates first(before, nullptr, clock);
    auto inside = take(first, 1);
    const auto after = settings({}, {{"x", 2}});
    const BackendGates second(after, &first, clock);
    second.resize();
    EXPECT_FALSE(take(first, 1)) << "an older exchange";
    EXPECT_EQ(told(second.limiters(0)), "credential x 0/2;credential gone 1/1;");
    inside.reset();
    EXPECT_EQ(told(second.limiters(0)), "credential x 0/2;");
}

TEST_F(BackendGatesTest, ABackendThatComesBackKnowsWhoIsInside) {
    const auto with = settings(1, {{"x", {}}});
    const config::Settings without;
    auto first = std::make_unique<BackendGates>(with, nullptr, clock);
    const std::shared_ptr<gate::Gate> held = first->place_of(target(0))->gate; // as a hold has it
    auto inside = take(*first, 0);
    const BackendGates second(without, first.get(), clock);
    first.reset();
    const BackendGates third(with, &second, clock);
    third.resize();
    EXPECT_FALSE(take(third, 0));
    inside.reset();
    EXPECT_TRUE(take(third, 0));
}

TEST_F(BackendGatesTest, IsBoundedOnlyByALimitThatIsConfigured) {
    const auto before = settings(1, {{"x", {}}, {"y", 1}}), after = settings({}, {{"x", {}}, {"y", 1}});
    const BackendGates first(before, nullptr, clock), second(after, &first, clock);
    second.resize();
    EXPECT_TRUE(first.bounded(target(0)));
    EXPECT_FALSE(second.bounded(target(0)));
    EXPECT_TRUE(second.bounded(target(1)));
}

} // namespace
