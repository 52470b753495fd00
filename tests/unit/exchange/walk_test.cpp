#include "exchange/holder.h"
#include "rig.h"

#include <gtest/gtest.h>

using namespace wm;
using namespace wm::exchange;

namespace {

using Next = std::variant<Chosen, NoTarget>;

runtime::Detached ask(Walk& walk, std::optional<Next>& answer) { answer.emplace(co_await walk.next()); }

// One walk and what it answered last.
struct Walker {
    explicit Walker(Rig& the_rig) : rig(the_rig), walk(the_rig.x) {}

    void start() {
        answer.reset();
        ask(walk, answer);
        rig.turn();
    }
    Chosen* chosen() { return answer ? std::get_if<Chosen>(&*answer) : nullptr; }
    const NoTarget* none() { return answer ? std::get_if<NoTarget>(&*answer) : nullptr; }
    int target() { // of the answer that must be there
        start();
        return chosen() ? int(chosen()->target->id) : -1;
    }

    Rig& rig;
    Walk walk;
    std::optional<Next> answer;
};

runtime::Detached wait_at(Rig& rig, wm::gate::Gate& gate, std::optional<wm::gate::Gate::Granted>& out) {
    auto granted = co_await gate.acquire(rig.loop, rig.abort, runtime::forever);
    out.emplace(std::move(granted));
}

void open(Rig& rig, std::uint32_t target, std::int64_t delay_ms) {
    auto admitted = rig.circuits().admit(target);
    std::get<routing::Pass>(admitted).fail(FailureClass::provider_transient, false, delay_ms);
}

// Another's probe of the target, whose circuit it holds half open.
routing::Pass probed_elsewhere(Rig& rig, std::uint32_t target) {
    open(rig, target, 1000);
    rig.clock.advance(Millis(1000));
    auto admitted = rig.circuits().admit(target);
    return std::get<routing::Pass>(std::move(admitted));
}

TEST(Walk, LayersInOrderAndEachTargetOnce) {
    Rig rig(Layers{{0, 1}, {2}, {1, 3}});
    Walker walker(rig);
    std::vector<int> seen;
    for (int i = 0; i < 4; ++i) seen.push_back(walker.target());
    std::sort(seen.begin(), seen.begin() + 2);
    EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3})); // target 1 stands in two layers and is chosen in the first
    walker.start();
    ASSERT_TRUE(walker.none());
    EXPECT_EQ(walker.none()->why, NoTarget::Why::exhausted);
}

TEST(Walk, EveryEquivalentTargetComesFirstSometimes) {
    Rig rig(Layers{{0, 1, 2}});
    std::array<int, 3> first{};
    for (int i = 0; i < 300; ++i) {
        Walker walker(rig);
        const int target = walker.target();
        ASSERT_GE(target, 0);
        ++first[std::size_t(target)];
    }
    for (const int count : first) EXPECT_GT(count, 50); // 100 expected; fewer than 51 is ten thousand million to one
}

TEST(Walk, AnOpenCircuitIsPassedOverAndSaysWhenItIsDue) {
    Rig rig(Layers{{0}, {1}});
    open(rig, 0, 7000);
    open(rig, 1, 3000);
    Walker walker(rig);
    walker.start();
    ASSERT_TRUE(walker.none());
    EXPECT_EQ(walker.none()->next_probe_at_ms, rig.clock.wall_ms() + 3000);
    EXPECT_FALSE(walker.none()->probe_awaited);
}

TEST(Walk, AnUnusedLaterLayerGivesNoProbe) {
    Rig rig(Layers{{0}, {1}});
    open(rig, 1, 1000);
    rig.clock.advance(Millis(1000));
    Walker walker(rig);
    EXPECT_EQ(walker.target(), 0);
    EXPECT_EQ(rig.circuits().snapshot(1).mode, routing::CircuitMode::open);
}

TEST(Walk, WaitsForAnothersProbeAndTakesTheTargetWhenItCloses) {
    Rig rig(Layers{{0}});
    auto probe = probed_elsewhere(rig, 0);
    Walker walker(rig);
    walker.start();
    EXPECT_FALSE(walker.answer);
    rig.pass(Millis(100));
    EXPECT_FALSE(walker.answer);
    probe.succeed();
    rig.turn();
    ASSERT_TRUE(walker.chosen());
    EXPECT_FALSE(walker.chosen()->pass->probe());
}

TEST(Walk, AFailedProbeEndsTheWaitWhereNothingElseIsProbed) {
    Rig rig(Layers{{0}});
    auto probe = probed_elsewhere(rig, 0);
    Walker walker(rig);
    walker.start();
    probe.fail(FailureClass::provider_transient, false, 2000);
    rig.turn();
    ASSERT_TRUE(walker.none());
    EXPECT_FALSE(walker.none()->probe_awaited);
}

TEST(Walk, TheWaitForProbesHasOneBudgetForAll) {
    Rig rig(Layers{{0, 1}});
    for (const auto target : {0u, 1u}) open(rig, target, 1000);
    rig.clock.advance(Millis(1000));
    auto first = rig.circuits().admit(0);
    auto second = rig.circuits().admit(1);
    Walker walker(rig);
    walker.start();
    rig.pass(Millis(3000));
    std::get<routing::Pass>(first).fail(FailureClass::provider_transient, false,
                                        60'000); // looked at again, still waiting
    rig.turn();
    EXPECT_FALSE(walker.answer);
    rig.pass(Millis(1900));
    EXPECT_FALSE(walker.answer);
    rig.pass(Millis(200)); // 5.1 s in all, of 5 s
    ASSERT_TRUE(walker.none());
    EXPECT_TRUE(walker.none()->probe_awaited);
    EXPECT_GE(rig.x.waited, Millis(5000));
}

TEST(Walk, WhoWaitsForAProbeMayMakeAnother) {
    Rig rig(Layers{{0, 1}});
    auto probe = probed_elsewhere(rig, 0);
    open(rig, 1, 1000);
    Walker walker(rig);
    walker.start();
    EXPECT_FALSE(walker.answer);
    rig.pass(Millis(1010));
    ASSERT_TRUE(walker.chosen());
    EXPECT_EQ(walker.chosen()->target->id, 1u);
    EXPECT_TRUE(walker.chosen()->pass->probe());
}

TEST(Walk, AClientThatLeavesEndsTheWait) {
    Rig rig(Layers{{0}});
    auto probe = probed_elsewhere(rig, 0);
    Walker walker(rig);
    walker.start();
    rig.abort.fire();
    rig.turn();
    ASSERT_TRUE(walker.none());
    EXPECT_EQ(walker.none()->why, NoTarget::Why::client_gone);
}

TEST(Walk, AFreeTargetBeforeAFullOne) {
    Rig rig(Layers{{0, 1}}, {1u, 1u});
    auto taken = rig.gate(0).try_acquire();
    for (int i = 0; i < 20; ++i) {
        Walker walker(rig);
        EXPECT_EQ(walker.target(), 1);
    }
}

TEST(Walk, WaitsAtAFullGateAndGivesThePermitBack) {
    Rig rig(Layers{{0}}, {1u});
    auto taken = rig.gate(0).try_acquire();
    {
        Walker walker(rig);
        walker.start();
        EXPECT_EQ(rig.gate(0).waiting(), 1u);
        taken.reset();
        rig.turn();
        ASSERT_TRUE(walker.chosen());
        EXPECT_EQ(rig.gate(0).state().in_flight, 1u);
    }
    EXPECT_EQ(rig.gate(0).state().in_flight, 0u);
}

TEST(Walk, WaitsAtAllFullGatesOfALayerAtOnce) {
    for (const std::uint32_t first : {0u, 1u}) {
        Rig rig(Layers{{0, 1}}, {1u, 1u});
        std::optional<wm::gate::Gate::Permit> taken[] = {rig.gate(0).try_acquire(), rig.gate(1).try_acquire()};
        Walker walker(rig);
        walker.start();
        EXPECT_EQ(rig.gate(0).waiting(), 1u);
        EXPECT_EQ(rig.gate(1).waiting(), 1u);
        taken[first].reset();
        rig.turn();
        ASSERT_TRUE(walker.chosen());
        EXPECT_EQ(walker.chosen()->target->id, first);
        EXPECT_EQ(rig.gate(0).waiting() + rig.gate(1).waiting(), 0u);
        taken[1 - first].reset();
        EXPECT_EQ(rig.gate(0).state().in_flight + rig.gate(1).state().in_flight, 1u);
    }
}

TEST(Walk, ACircuitThatOpenedMeanwhileLeavesTheOtherGatesToWaitAt) {
    Rig rig(Layers{{0, 1}}, {1u, 1u});
    std::optional<wm::gate::Gate::Permit> taken[] = {rig.gate(0).try_acquire(), rig.gate(1).try_acquire()};
    Walker walker(rig);
    walker.start();
    open(rig, 0, 60'000);
    taken[0].reset();
    rig.turn();
    EXPECT_FALSE(walker.answer);
    EXPECT_EQ(rig.gate(0).state().in_flight + rig.gate(0).waiting(), 0u);
    EXPECT_EQ(rig.gate(1).waiting(), 1u);
    taken[1].reset();
    rig.turn();
    ASSERT_TRUE(walker.chosen());
    EXPECT_EQ(walker.chosen()->target->id, 1u);
}

TEST(Walk, ACircuitThatOpenedMeanwhileIsSeenWhenThePermitComes) {
    Rig rig(Layers{{0}, {1}}, {1u});
    auto taken = rig.gate(0).try_acquire();
    Walker walker(rig);
    walker.start();
    open(rig, 0, 60'000);
    taken.reset();
    rig.turn();
    ASSERT_TRUE(walker.chosen());
    EXPECT_EQ(walker.chosen()->target->id, 1u);
    EXPECT_EQ(rig.gate(0).state().in_flight, 0u);
}

TEST(Walk, WhoWaitsAtAGateTakesATargetWhoseProbeIsDue) {
    Rig rig(Layers{{0, 1}}, {1u});
    open(rig, 1, 1000);
    auto taken = rig.gate(0).try_acquire();
    Walker walker(rig);
    walker.start();
    rig.pass(Millis(990));
    EXPECT_FALSE(walker.answer);
    EXPECT_EQ(rig.gate(0).waiting(), 1u);
    rig.pass(Millis(20));
    ASSERT_TRUE(walker.chosen());
    EXPECT_EQ(walker.chosen()->target->id, 1u);
    EXPECT_TRUE(walker.chosen()->pass->probe());
    EXPECT_EQ(rig.gate(0).waiting(), 0u);
    EXPECT_GE(rig.x.waited, Millis(1000));
}

TEST(Walk, WhoWaitsAtAGateTakesATargetThatAnothersProbeCloses) {
    for (const bool earlier : {false, true}) { // in the same layer, and in the one before
        Rig rig(earlier ? Layers{{1}, {0}} : Layers{{0, 1}}, {1u});
        auto probe = probed_elsewhere(rig, 1);
        auto taken = rig.gate(0).try_acquire();
        Walker walker(rig);
        walker.start();
        EXPECT_FALSE(walker.answer);
        probe.succeed();
        rig.turn();
        ASSERT_TRUE(walker.chosen());
        EXPECT_EQ(walker.chosen()->target->id, 1u);
        EXPECT_FALSE(walker.chosen()->pass->probe());
    }
}

TEST(Walk, WhoWaitsKeepsItsPlaceWhileItLooksAgain) {
    Rig rig(Layers{{0, 1}}, {1u});
    auto probe = probed_elsewhere(rig, 1);
    auto taken = rig.gate(0).try_acquire();
    Walker first(rig);
    first.start();
    std::optional<wm::gate::Gate::Granted> second;
    wait_at(rig, rig.gate(0), second);
    probe.fail(FailureClass::provider_transient, false, 500);
    rig.turn();
    EXPECT_EQ(rig.gate(0).waiting(), 2u);
    EXPECT_EQ(rig.gate(0).state().waits, 2u) << "it came twice";
    taken.reset();
    rig.turn();
    ASSERT_TRUE(first.chosen());
    EXPECT_EQ(first.chosen()->target->id, 0u);
    EXPECT_FALSE(second);
    first.answer.reset();
    rig.turn();
    EXPECT_TRUE(second);
}

TEST(Walk, WhoWaitsJoinsTheQueueOfATargetThatMayBeProbed) {
    Rig rig(Layers{{0, 1}}, {1u, 1u});
    open(rig, 1, 1000);
    std::optional<wm::gate::Gate::Permit> taken[] = {rig.gate(0).try_acquire(), rig.gate(1).try_acquire()};
    Walker walker(rig);
    walker.start();
    EXPECT_EQ(rig.gate(1).waiting(), 0u);
    rig.pass(Millis(1100));
    EXPECT_EQ(rig.gate(0).waiting() + rig.gate(1).waiting(), 2u);
    taken[1].reset();
    rig.turn();
    ASSERT_TRUE(walker.chosen());
    EXPECT_EQ(walker.chosen()->target->id, 1u);
    EXPECT_EQ(rig.gate(0).waiting(), 0u);
}

TEST(Walk, AProbeOfAnotherIsNotPolledByWhoWaits) {
    Rig rig(Layers{{0, 1}}, {1u});
    auto probe = probed_elsewhere(rig, 1);
    auto taken = rig.gate(0).try_acquire();
    Walker walker(rig);
    walker.start();
    const auto counted = rig.x.waited;
    rig.pass(Millis(1500));
    EXPECT_EQ(rig.x.waited, counted) << "it was woken";
    probe.fail(FailureClass::provider_transient, false, 60'000);
    rig.turn();
    EXPECT_EQ(rig.x.waited, Millis(1500));
    EXPECT_EQ(rig.gate(0).waiting(), 1u);
    rig.pass(Millis(400));
    EXPECT_FALSE(walker.answer);
    rig.pass(Millis(200)); // 2.1 s in all, of 2 s
    ASSERT_TRUE(walker.none());
    EXPECT_EQ(walker.none()->why, NoTarget::Why::queue_timeout);
}

TEST(Walk, TheQueueTimeoutBoundsTheWait) {
    Rig rig(Layers{{0}}, {1u});
    auto taken = rig.gate(0).try_acquire();
    Walker walker(rig);
    walker.start();
    rig.pass(Millis(1900));
    EXPECT_FALSE(walker.answer);
    rig.pass(Millis(200));
    ASSERT_TRUE(walker.none());
    EXPECT_EQ(walker.none()->why, NoTarget::Why::queue_timeout);
    EXPECT_EQ(rig.gate(0).waiting(), 0u);
}

TEST(Walk, AFullQueueRefusesAtOnce) {
    Rig rig(Layers{{0}}, {1u});
    rig.settings->backends[0].queue_depth = 0;
    auto taken = rig.gate(0).try_acquire();
    Walker walker(rig);
    walker.start();
    ASSERT_TRUE(walker.none());
    EXPECT_EQ(walker.none()->why, NoTarget::Why::queue_full);
}

// ---- what a request continues is held by one target's credential ----

TEST(Walk, OnlyTheHolderIsTried) {
    for (int i = 0; i < 20; ++i) {
        Rig rig(Layers{{0, 1}, {2}, {1, 3}});
        rig.x.holder = holder_of(*rig.settings, rig.settings->models[0].layers[1].targets[0]);
        Walker walker(rig);
        EXPECT_EQ(walker.target(), 2);
        EXPECT_EQ(walker.chosen()->reason, "pinned");
        EXPECT_EQ(walker.chosen()->layer_index, 1u);
        walker.start();
        ASSERT_TRUE(walker.none());
        EXPECT_TRUE(walker.none()->pinned);
    }
}

TEST(Walk, AllThatShareTheHoldersStateAreTriedInLayers) {
    Rig rig(Layers{{0, 1}, {2, 3}});
    for (const auto backend : {1u, 2u, 3u}) rig.settings->backends[backend].credentials[0].state_scope = "org";
    rig.x.holder = holder_of(*rig.settings, rig.settings->models[0].layers[1].targets[0]);
    Walker walker(rig);
    EXPECT_EQ(walker.target(), 1);
    std::vector<int> second{walker.target(), walker.target()};
    std::sort(second.begin(), second.end());
    EXPECT_EQ(second, (std::vector<int>{2, 3}));
    walker.start();
    EXPECT_TRUE(walker.none());
}

TEST(Walk, AnOpenCircuitOfTheHolderIsSaidThoughOthersAreFree) {
    Rig rig(Layers{{0, 1}});
    rig.x.holder = holder_of(*rig.settings, rig.settings->models[0].layers[0].targets[1]);
    open(rig, 1, 7000);
    Walker walker(rig);
    walker.start();
    ASSERT_TRUE(walker.none());
    EXPECT_EQ(walker.none()->next_probe_at_ms, rig.clock.wall_ms() + 7000);
    EXPECT_TRUE(walker.none()->pinned);
}

TEST(Walk, NothingIsPinnedWhereOthersMayDoWithoutWhatIsContinued) {
    for (const bool natively : {false, true}) {
        Rig rig(Layers{{0, 1}});
        rig.x.holder = holder_of(*rig.settings, rig.settings->models[0].layers[0].targets[0]);
        rig.x.or_natively = natively;
        for (const auto target : {0u, 1u}) open(rig, target, 7000);
        Walker walker(rig);
        walker.start();
        ASSERT_TRUE(walker.none());
        EXPECT_EQ(walker.none()->pinned, !natively);
    }
}

TEST(Walk, AFullGateOfTheHolderIsWaitedAtThoughOthersAreFree) {
    Rig rig(Layers{{0, 1}}, {1u, 1u});
    rig.x.holder = holder_of(*rig.settings, rig.settings->models[0].layers[0].targets[0]);
    auto taken = rig.gate(0).try_acquire();
    Walker walker(rig);
    walker.start();
    EXPECT_FALSE(walker.answer);
    taken.reset();
    rig.turn();
    ASSERT_TRUE(walker.chosen());
    EXPECT_EQ(walker.chosen()->target->id, 0u);
}

} // namespace
