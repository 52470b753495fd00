#include "gate/gate.h"
#include "loop_fixture.h"
#include <thread>

namespace wm::gate {
namespace {

using namespace std::chrono_literals;
using runtime::Abort;
using runtime::Io;
using runtime::Loop;

struct Gates : runtime::LoopTest {
    Gate gate{1, clock};
    using Slot = std::optional<Gate::Granted>;

    void acquire(Slot& out, Millis timeout = 1h) { acquire(out, abort, timeout); }
    void acquire(Slot& out, Abort& a, Millis timeout = 1h) {
        runtime::into([=, this, &a] { return gate.acquire(loop, a, timeout); }, out);
    }
    void wait(Slot& out, const Wait& w) {
        runtime::into([=, this] { return gate.acquire(loop, abort, 1h, w); }, out);
    }
    void expect(unsigned in_flight, unsigned waiting) {
        EXPECT_EQ(gate.state().in_flight, in_flight);
        EXPECT_EQ(gate.waiting(), waiting);
    }
};

TEST_F(Gates, AFreePlaceIsGivenAtOnce) {
    Slot a;
    acquire(a, 0ms);
    ASSERT_TRUE(a);
    EXPECT_EQ(a->status, Io::ok);
    EXPECT_TRUE(a->permit);
    expect(1, 0);
    a.reset();
    expect(0, 0);
}

TEST_F(Gates, PlacesGoInOrderOfArrival) {
    Slot a, b, c;
    acquire(a);
    acquire(b);
    acquire(c);
    expect(1, 2);
    a->permit.release();
    a->permit.release(); // once is all there is
    expect(1, 1);
    settle();
    ASSERT_TRUE(b);
    EXPECT_FALSE(c);
    b.reset();
    settle();
    ASSERT_TRUE(c);
    expect(1, 0);
}

TEST_F(Gates, ALimitThatMovesLetsNobodyThrough) {
    const auto part = gate.part("part", 0);
    Slot first;
    std::array<Slot, 3> others;
    wait(first, {.part = part});
    for (auto& other : others) wait(other, {.part = part});
    const std::array<Gate::Size, 2> inwards{{{whole, 0}, {part, 1}}}, outwards{{{whole, 1}, {part, 0}}};
    for (const auto& sizes : {inwards, outwards, inwards}) {
        gate.resize(sizes);
        settle();
        expect(1, 3);
    }
    first.reset();
    for (auto& other : others) {
        settle();
        ASSERT_TRUE(other);
        other.reset();
    }
    expect(0, 0);
}

TEST_F(Gates, WhoWaitsForSeveralPartsCountsOnce) {
    gate.resize(0);
    const auto a = gate.part("a", 1), b = gate.part("b", 1);
    Slot in_a, in_b, both, another;
    wait(in_a, {.part = a});
    wait(in_b, {.part = b});
    const auto wait_for_either = [&](Slot& out) {
        std::vector<Gate::Choice> choices;
        for (const auto part : {a, b}) choices.push_back({&gate, {.part = part, .depth = 1, .route = "POST /x"}});
        runtime::into([=, this] { return Gate::acquire_any(loop, abort, 1h, choices); }, out);
    };
    wait_for_either(both);
    expect(2, 1);
    EXPECT_EQ(gate.state().waits, 1u);
    EXPECT_EQ(gate.first(9).size(), 1u);
    ASSERT_EQ(gate.lines().size(), 1u);
    EXPECT_EQ(gate.lines().front().waiting, 1u);
    for (const auto& part : gate.parts()) EXPECT_EQ(part.waiting, 1u) << part.name;

    wait_for_either(another); // one too many
    ASSERT_TRUE(another);
    EXPECT_EQ(another->status, Io::failed);

    in_b->permit.release(); // it is free to take either, also where the line is full
    settle();
    ASSERT_TRUE(both);
    EXPECT_EQ(both->choice, 1u);
    expect(2, 0);
    for (const auto& part : gate.parts()) EXPECT_EQ(part.waiting, 0u) << part.name;
    EXPECT_TRUE(gate.lines().empty());
}

// A policy may rank each of its choices differently; it stands there as one all the same.
TEST_F(Gates, WhoWaitsForSeveralPartsHasOneTicket) {
    gate.resize(0);
    const auto a = gate.part("a", 1), b = gate.part("b", 1);
    Slot in_a, in_b, both;
    wait(in_a, {.part = a});
    wait(in_b, {.part = b});
    std::vector<Gate::Choice> choices{
        {&gate, {.part = a, .ticket = {.priority_class = 0, .principal = "x", .promote_after = 10ms}}},
        {&gate, {.part = b, .ticket = {.priority_class = 2, .principal = "y", .promote_after = 20ms}}}};
    runtime::into([=, this] { return Gate::acquire_any(loop, abort, 1h, choices); }, both);
    for (int i = 0; i < 4; ++i) {
        const auto first = gate.first(9);
        ASSERT_EQ(first.size(), 1u);
        EXPECT_EQ(first.front().principal, "x");
        advance(10ms);
    }
    in_b->permit.release();
    settle();
    ASSERT_TRUE(both);
    EXPECT_EQ(both->choice, 1u);
}

TEST_F(Gates, NobodyOvertakesThoseWhoWait) {
    Slot a, b;
    acquire(a);
    acquire(b);
    a.reset(); // b's now, though it has not run yet
    EXPECT_FALSE(gate.try_acquire());
    settle();
    ASSERT_TRUE(b);
    b.reset();
    auto direct = gate.try_acquire();
    ASSERT_TRUE(direct);
    EXPECT_FALSE(gate.try_acquire());
}

TEST_F(Gates, AWaitTimesOut) {
    Slot a, b, c;
    acquire(a);
    acquire(b, 100ms);
    acquire(c);
    advance(100ms);
    ASSERT_TRUE(b);
    EXPECT_EQ(b->status, Io::timed_out);
    EXPECT_FALSE(b->permit);
    expect(1, 1);
    a.reset();
    settle();
    ASSERT_TRUE(c);
    EXPECT_EQ(c->status, Io::ok);
}

TEST_F(Gates, AWaitIsCancelledBeforeAndWhileItLasts) {
    Slot a, b, c;
    Abort other(loop);
    acquire(a, other);
    acquire(b);
    abort.fire();
    expect(1, 0);
    loop.run_once(0ms);
    ASSERT_TRUE(b);
    EXPECT_EQ(b->status, Io::cancelled);
    acquire(c);
    ASSERT_TRUE(c);
    EXPECT_EQ(c->status, Io::cancelled);
    expect(1, 0);
}

TEST_F(Gates, APermitThatWasGrantedBeforeTheAbortIsNotLost) {
    Slot a, b, c;
    Abort other(loop);
    acquire(a, other);
    acquire(b);
    acquire(c, other);
    a.reset();    // granted to b ...
    abort.fire(); // ... whose abort comes before it runs: it still gets the permit, and sees the abort next
    settle();
    ASSERT_TRUE(b);
    EXPECT_EQ(b->status, Io::ok);
    EXPECT_FALSE(c);
    b.reset();
    settle();
    ASSERT_TRUE(c);
    EXPECT_EQ(c->status, Io::ok);
}

TEST_F(Gates, ALargerLimitLetsMoreInAndASmallerOneWaits) {
    Slot s[4];
    for (auto& slot : s) acquire(slot);
    expect(1, 3);
    gate.resize(3);
    settle();
    EXPECT_TRUE(s[1] && s[2]);
    expect(3, 1);
    gate.resize(1);
    s[0].reset();
    s[1].reset();
    settle();
    EXPECT_FALSE(s[3]);
    s[2].reset();
    settle();
    EXPECT_TRUE(s[3]);
}

// BC-072 BC-074
TEST_F(Gates, SoManyMayWait) {
    const Wait two{.depth = 2}, none{.depth = 0};
    Slot a, b, c, d, e;
    wait(a, none);
    ASSERT_TRUE(a);
    EXPECT_EQ(a->status, Io::ok) << "a free permit refuses nobody";
    wait(b, two);
    wait(c, two);
    wait(d, two);
    ASSERT_TRUE(d);
    EXPECT_EQ(d->status, Io::failed);
    expect(1, 2);
    a.reset();
    settle();
    wait(e, two);
    EXPECT_FALSE(e);
    expect(1, 2);
    abort.fire(); // who still waits refers to what ends here
    settle();
}

// BC-081
TEST_F(Gates, WhoWaitsForAPartHoldsNothingOfTheWhole) {
    gate.resize(2);
    const auto part = gate.part("part", 1);
    EXPECT_EQ(gate.part("part", 9), part);
    Slot inside, waiting, other, last;
    wait(inside, {.part = part});
    wait(waiting, {.part = part});
    expect(1, 1);
    wait(other, {});
    ASSERT_TRUE(other) << "it waits for nothing that is free";
    wait(last, {});
    expect(2, 2);
    inside.reset(); // frees a place of the part and of the whole: for who came first
    settle();
    ASSERT_TRUE(waiting);
    EXPECT_FALSE(last);
    expect(2, 1);
    EXPECT_EQ(gate.parts().front().in_flight, 1u);
    waiting.reset();
    settle();
    EXPECT_TRUE(last);
    EXPECT_EQ(gate.parts().front().in_flight, 0u);
}

struct TwoGates : Gates {
    Gate other{1, clock};
    Slot inside, inside_other, waiting;

    void SetUp() override {
        acquire(inside);
        inside_other.emplace(Gate::Granted{Io::ok, std::move(*other.try_acquire())});
    }
    void wait_at_both(Millis timeout = 1h, std::optional<unsigned> depth = std::nullopt) {
        runtime::into(
            [=, this] {
                return Gate::acquire_any(loop, abort, timeout, {{&gate, {.depth = depth}}, {&other, {.depth = depth}}});
            },
            waiting);
    }
    void expect_nobody_waits() {
        EXPECT_EQ(gate.waiting(), 0u);
        EXPECT_EQ(other.waiting(), 0u);
    }
};

TEST_F(TwoGates, WhicheverHasAPermitFirst) {
    wait_at_both();
    EXPECT_EQ(gate.waiting() + other.waiting(), 2u);
    inside_other.reset();
    settle();
    ASSERT_TRUE(waiting);
    EXPECT_EQ(waiting->choice, 1u);
    expect_nobody_waits();
    inside.reset();
    EXPECT_EQ(gate.state().in_flight, 0u);
    EXPECT_EQ(other.state().in_flight, 1u);
}

TEST_F(TwoGates, APermitOfBothIsTakenOfOne) {
    Slot behind;
    wait_at_both();
    acquire(behind);
    inside_other.reset();
    inside.reset(); // whoever waits at both has one already: it is passed over
    settle();
    ASSERT_TRUE(waiting && behind);
    EXPECT_EQ(waiting->choice, 1u);
    EXPECT_EQ(behind->status, Io::ok);
    EXPECT_EQ(gate.state().in_flight + other.state().in_flight, 2u);
}

TEST_F(TwoGates, AFreeOneIsTakenAtOnce) {
    inside_other.reset();
    wait_at_both(0ms);
    ASSERT_TRUE(waiting);
    EXPECT_EQ(waiting->status, Io::ok);
    EXPECT_EQ(waiting->choice, 1u);
}

// Its owner looks elsewhere whenever the notice is raised.
struct AnEntry : TwoGates {
    runtime::Notice changes;
    Gate::Entry entry;
    Slot behind;

    void choose(std::vector<Gate::Choice> choices) { entry.choose(std::move(choices)); }
    void acquire_by_entry(Millis timeout = 1h) {
        waiting.reset();
        runtime::into([=, this] { return entry.acquire(loop, abort, timeout, changes, changes.version()); }, waiting);
    }
    void look_away() {
        changes.raise();
        settle();
        ASSERT_TRUE(waiting);
        EXPECT_EQ(waiting->status, Io::ok);
        EXPECT_FALSE(waiting->permit);
    }
};

TEST_F(AnEntry, KeepsItsPlaceWhileItLooksAway) {
    choose({{&gate, {}}});
    acquire_by_entry();
    acquire(behind);
    look_away();
    EXPECT_EQ(gate.waiting(), 2u);
    choose({{&gate, {.depth = 0}}, {&other, {}}}); // it is in, however long the line
    acquire_by_entry();
    EXPECT_EQ(gate.state().waits, 2u);
    EXPECT_EQ(other.waiting(), 1u);
    inside.reset();
    settle();
    ASSERT_TRUE(waiting);
    EXPECT_TRUE(waiting->permit);
    EXPECT_EQ(waiting->choice, 0u);
    EXPECT_FALSE(behind);
}

TEST_F(AnEntry, IsServedWhileItLooksAway) {
    choose({{&gate, {}}});
    acquire_by_entry();
    look_away();
    inside.reset();
    EXPECT_EQ(gate.state().in_flight, 1u);
    choose({{&other, {}}, {&gate, {}}});
    acquire_by_entry();
    ASSERT_TRUE(waiting);
    EXPECT_TRUE(waiting->permit);
    EXPECT_EQ(waiting->choice, 1u);
    EXPECT_EQ(other.waiting(), 0u);
}

TEST_F(AnEntry, GivesBackWhatItWantsNoMore) {
    choose({{&gate, {}}});
    acquire_by_entry();
    look_away();
    inside.reset();
    choose({{&other, {}}});
    acquire_by_entry();
    ASSERT_TRUE(waiting);
    EXPECT_FALSE(waiting->permit);
    EXPECT_EQ(gate.state().in_flight + gate.waiting(), 0u);
    choose({{&other, {}}});
    acquire_by_entry();
    EXPECT_FALSE(waiting);
    inside_other.reset();
    settle();
    ASSERT_TRUE(waiting);
    EXPECT_TRUE(waiting->permit);
}

TEST_F(AnEntry, LeavesWhereItWaitsNoMoreAndKeepsTheRest) {
    choose({{&gate, {}}, {&other, {}}});
    acquire_by_entry();
    look_away();
    choose({{&other, {}}});
    EXPECT_EQ(gate.waiting(), 0u);
    EXPECT_EQ(other.waiting(), 1u);
    acquire_by_entry(100ms);
    advance(100ms);
    settle();
    ASSERT_TRUE(waiting);
    EXPECT_EQ(waiting->status, Io::timed_out);
    choose({});
    expect_nobody_waits();
}

TEST_F(AnEntry, CountsOnceAtAGateWhicheverOfItsPlacesItGivesUp) {
    gate.resize(0);
    const auto a = gate.part("a", 1), b = gate.part("b", 1);
    Slot in_a, in_b;
    wait(in_a, {.part = a});
    wait(in_b, {.part = b});
    const Gate::Choice one{&gate, {.part = a, .route = "POST /x"}}, two{&gate, {.part = b, .route = "POST /x"}};
    choose({one});
    acquire_by_entry();
    advance(50ms);
    wait(behind, {.part = b, .route = "POST /x"});
    for (const auto& choices : {std::vector{one, two}, std::vector{two}, std::vector{one, two}, std::vector{one}}) {
        look_away();
        choose(choices);
        acquire_by_entry();
        EXPECT_EQ(gate.waiting(), 2u);
        EXPECT_EQ(gate.first(9).size(), 2u);
        ASSERT_EQ(gate.lines().size(), 1u);
        EXPECT_EQ(gate.lines().front().waiting, 2u);
        EXPECT_EQ(clock.now() - gate.lines().front().since, 50ms) << "since it first waited";
    }
    in_a->permit.release();
    settle();
    ASSERT_TRUE(waiting);
    EXPECT_TRUE(waiting->permit);
    EXPECT_EQ(gate.waiting(), 1u);
}

TEST_F(AnEntry, ThatGoesAwayLeavesNothing) {
    {
        Gate::Entry brief;
        Slot out;
        brief.choose({{&gate, {}}, {&other, {}}});
        runtime::into([&] { return brief.acquire(loop, abort, 1h, changes, changes.version()); }, out);
        changes.raise();
        settle();
        EXPECT_EQ(gate.waiting() + other.waiting(), 2u);
        inside.reset();
        EXPECT_EQ(gate.state().in_flight, 1u);
    }
    expect_nobody_waits();
    EXPECT_EQ(gate.state().in_flight, 0u);
}

TEST_F(AnEntry, SeesAChangeThatCameBeforeItWaited) {
    choose({{&gate, {}}});
    const auto seen = changes.version();
    changes.raise();
    runtime::into([=, this] { return entry.acquire(loop, abort, 1h, changes, seen); }, waiting);
    ASSERT_TRUE(waiting);
    EXPECT_EQ(waiting->status, Io::ok);
    EXPECT_FALSE(waiting->permit);
    EXPECT_EQ(gate.waiting(), 1u);
    choose({});
}

TEST_F(TwoGates, TimeoutsAndCancelsLeaveBoth) {
    wait_at_both(100ms);
    advance(100ms);
    settle();
    ASSERT_TRUE(waiting);
    EXPECT_EQ(waiting->status, Io::timed_out);
    expect_nobody_waits();
    waiting.reset();
    wait_at_both();
    abort.fire();
    expect_nobody_waits();
    settle();
    ASSERT_TRUE(waiting);
    EXPECT_EQ(waiting->status, Io::cancelled);
}

TEST_F(TwoGates, RefusedByBothItDoesNotWait) {
    wait_at_both(1h, 0u);
    ASSERT_TRUE(waiting);
    EXPECT_EQ(waiting->status, Io::failed);
    expect_nobody_waits();
}

TEST_F(Gates, NoLimitCountsOnly) {
    Gate open(0, clock);
    auto a = open.try_acquire(), b = open.try_acquire();
    ASSERT_TRUE(a && b);
    EXPECT_EQ(open.state().in_flight, 2u);
    a.reset();
    EXPECT_EQ(open.state().in_flight, 1u);
}

TEST_F(Gates, AMovedPermitIsHeldOnce) {
    Gate second(1, clock);
    auto a = gate.try_acquire();
    Gate::Permit b = std::move(*a);
    a.reset();
    expect(1, 0);
    b = std::move(*second.try_acquire()); // gives the first one back
    expect(0, 0);
    EXPECT_EQ(second.state().in_flight, 1u);
}

TEST_F(Gates, APermitMayBeReleasedOnAnotherThread) {
    Slot a, b;
    acquire(a);
    acquire(b);
    std::thread other([&] { a.reset(); });
    ASSERT_TRUE(arrives(b));
    other.join();
    EXPECT_EQ(b->status, Io::ok);
}

} // namespace
} // namespace wm::gate
