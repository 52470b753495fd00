#include "gate/queue.h"

#include "base/random.h"
#include "manual_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <string>
#include <vector>

namespace wm::gate {
namespace {

using namespace std::chrono_literals;

struct Place : runtime::Link {
    Queue::Standing standing{};
    std::string name;
};

Queue::Standing& standing_of(runtime::Link& place) { return static_cast<Place&>(place).standing; }

struct Queues : testing::Test {
    ManualClock clock;
    std::list<Place> places; // outlive the queue's links to them
    Queue queue{standing_of};

    Place& add(const std::string& name, const Ticket& ticket, unsigned lane = 0) {
        auto& place = places.emplace_back();
        place.name = name;
        place.standing.ticket = ticket;
        place.standing.lane = lane;
        queue.add(place, clock.now());
        return place;
    }
    void leave(Place& place) { queue.leave(place); }
    std::string next(std::vector<unsigned> lanes = {0}) {
        auto* place = queue.next(clock.now(), lanes);
        if (!place) return "";
        queue.go(*place);
        return static_cast<Place&>(*place).name;
    }
    std::string seen(std::size_t most = 99) const {
        std::string out;
        for (const auto* standing : queue.first(most)) {
            const auto place =
                std::find_if(places.begin(), places.end(), [&](const Place& one) { return &one.standing == standing; });
            out += (out.empty() ? "" : " ") + place->name;
        }
        return out;
    }
    std::string all() {
        std::string out;
        while (queue.size() > 0) out += (out.empty() ? "" : " ") + next();
        return out;
    }
};

// BC-076: what operators see is what will happen.
TEST_F(Queues, TheOrderCanBeSeenWithoutTakingAnybody) {
    Random random(7);
    for (int round = 0; round < 50; ++round) {
        for (int i = 0; i < 30; ++i) {
            static constexpr std::array<std::string_view, 4> principals{"a", "b", "c", "d"};
            add(std::to_string(round) + "." + std::to_string(i), {.priority_class = unsigned(random.between(0, 2)),
                                                                  .principal = principals[random.between(0, 3)],
                                                                  .weight = unsigned(random.between(1, 3))});
        }
        for (int i = 0; i < 10; ++i) next(); // turns are used by the time it is looked at
        const auto before = seen();
        EXPECT_EQ(seen(), before);
        const auto few = seen(5);
        EXPECT_EQ(before.substr(0, few.size() + 1), few + " ");
        EXPECT_EQ(all(), before);
        places.clear();
    }
    EXPECT_EQ(seen(), "");
}

TEST_F(Queues, TheOrderTakesAllLanesTogether) {
    add("a1", {.principal = "a"}, 1);
    add("b1", {.principal = "b"}, 2);
    add("a2", {.principal = "a"}, 2);
    add("a3", {.principal = "a"}, 1);
    EXPECT_EQ(seen(), "a1 b1 a2 a3");
    EXPECT_EQ(seen(2), "a1 b1");
}

TEST_F(Queues, LinesSayHowManyWaitByRouteAndSinceWhen) {
    const auto on = [&](std::string_view route) {
        auto& place = places.emplace_back();
        place.standing.route = route;
        queue.add(place, clock.now());
        return &place;
    };
    const auto lines = [&] {
        std::string out;
        for (const auto& [route, waiting, since] : queue.lines().states())
            out += route + ":" + std::to_string(waiting) + ":" + std::to_string((clock.now() - since) / 1s) + " ";
        return out;
    };
    auto* first = on("POST /a");
    clock.advance(2s);
    on("POST /a");
    on("");
    clock.advance(1s);
    EXPECT_EQ(lines(), ":1:1 POST /a:2:3 ");
    leave(*first);
    EXPECT_EQ(lines(), ":1:1 POST /a:1:1 ");
    next();
    EXPECT_EQ(lines(), ":1:1 ");
    next();
    EXPECT_EQ(lines(), "");
}

TEST_F(Queues, WithoutTicketsItIsAnOrderOfArrival) {
    for (const auto* name : {"a", "b", "c"}) add(name, {});
    EXPECT_EQ(all(), "a b c");
}

TEST_F(Queues, ClassesComeFirst) {
    add("low", {.priority_class = 2});
    add("medium", {.priority_class = 1});
    add("high", {.priority_class = 0});
    add("beyond", {.priority_class = 9});
    add("high2", {.priority_class = 0});
    EXPECT_EQ(all(), "high high2 medium low beyond");
}

TEST_F(Queues, PrincipalsTakeTurns) {
    for (const auto* name : {"a1", "a2", "a3"}) add(name, {.principal = "a"});
    for (const auto* name : {"b1", "b2"}) add(name, {.principal = "b"});
    add("c1", {.principal = "c"});
    EXPECT_EQ(all(), "a1 b1 c1 a2 b2 a3");
}

TEST_F(Queues, OneWhoComesLateHasNoTurnsSavedUp) {
    for (int i = 0; i < 6; ++i) add("a", {.principal = "a"});
    EXPECT_EQ(next(), "a");
    EXPECT_EQ(next(), "a");
    for (int i = 0; i < 3; ++i) add("b", {.principal = "b"});
    EXPECT_EQ(all(), "b a b a b a a");
}

TEST_F(Queues, OneWhoGoesAndComesAgainHasNotLostItsDebt) {
    for (int i = 0; i < 3; ++i) add("b", {.principal = "b"});
    auto& only = add("a", {.principal = "a"});
    EXPECT_EQ(next(), "b");
    EXPECT_EQ(next(), "a");
    EXPECT_FALSE(only.standing.flow);
    add("a2", {.principal = "a"});
    EXPECT_EQ(next(), "b") << "a went last";
    EXPECT_EQ(next(), "a2");
}

TEST_F(Queues, AWeightIsSoManyTurns) {
    for (int i = 0; i < 6; ++i) {
        add("a", {.principal = "a", .weight = 2});
        add("b", {.principal = "b", .weight = 1});
    }
    std::string first;
    for (int i = 0; i < 6; ++i) first += next();
    EXPECT_EQ(std::count(first.begin(), first.end(), 'a'), 4);
}

TEST_F(Queues, LanesThatNobodyCanLeaveArePassedOver) {
    add("high", {.priority_class = 0}, 1);
    add("first", {}, 2);
    add("second", {}, 1);
    add("third", {}, 2);
    EXPECT_EQ(queue.size(1), 2u);
    EXPECT_EQ(next({0, 3}), "");
    EXPECT_EQ(next({2}), "first");
    EXPECT_EQ(next({1, 2}), "high");
    EXPECT_EQ(next({1, 2}), "second") << "it came before third";
    EXPECT_EQ(queue.size(1), 0u);
    EXPECT_EQ(next({1, 2}), "third");
    EXPECT_EQ(queue.size(), 0u);
}

TEST_F(Queues, ATurnIsUsedInEveryLane) {
    for (const unsigned lane : {1, 2}) {
        for (int i = 0; i < 2; ++i) add("a", {.principal = "a"}, lane);
        for (int i = 0; i < 2; ++i) add("b", {.principal = "b"}, lane);
    }
    EXPECT_EQ(next({1}), "a");
    EXPECT_EQ(next({2}), "b") << "a went in the other lane";
    EXPECT_EQ(next({1, 2}), "a");
    EXPECT_EQ(next({1, 2}), "b");
}

TEST_F(Queues, WhoeverLeavesIsForgotten) {
    auto& a = add("a", {.principal = "a"});
    add("b", {.principal = "b"});
    auto& c = add("c", {.principal = "c", .promote_after = 10ms});
    leave(a);
    leave(c);
    clock.advance(1h);
    EXPECT_EQ(queue.size(), 1u);
    EXPECT_EQ(all(), "b");
}

TEST_F(Queues, AWaiterRisesAClassWheneverItsTimeHasPassed) {
    add("low", {.priority_class = 2, .principal = "l", .promote_after = 10s});
    add("high", {.priority_class = 0, .principal = "h"});
    clock.advance(9s);
    add("medium", {.priority_class = 1, .principal = "m"});
    EXPECT_EQ(next(), "high");
    clock.advance(1s); // among the medium ones now, behind the one who was there
    add("high2", {.priority_class = 0, .principal = "h"});
    EXPECT_EQ(next(), "high2");
    clock.advance(10s); // among the high ones
    add("medium2", {.priority_class = 1, .principal = "m"});
    EXPECT_EQ(all(), "low medium medium2");
}

// A stream of urgent requests never ends; with promotion the others get through all the same.
TEST_F(Queues, NobodyStarvesWithPromotion) {
    for (const bool promoted : {true, false}) {
        Ticket patient{.priority_class = 2, .principal = "p"};
        if (promoted) patient.promote_after = 1s;
        add("patient", patient);
        bool served = false;
        for (int i = 0; i < 10; ++i) {
            add("urgent", {.priority_class = 0, .principal = "u"});
            clock.advance(1s);
            served = served || next() == "patient";
        }
        EXPECT_EQ(served, promoted);
        all();
    }
}

// Against a plain model: of those in a lane that is open the least class, and a principal's own order of arrival.
TEST_F(Queues, AgreesWithAPlainModel) {
    Random random(7);
    struct Waiting {
        Place* place;
        unsigned index;
        std::string principal;
        unsigned lane;
    };
    std::deque<Waiting> model;
    const std::vector<std::string> principals{"a", "b", "c", "d"};
    for (int round = 0; round < 20'000; ++round) {
        const auto what = random.between(0, 9);
        if (what < 5) {
            const auto index = unsigned(random.between(0, 2));
            const auto& principal = principals[std::size_t(random.between(0, 3))];
            const auto lane = unsigned(random.between(0, 2));
            auto& place = add(std::to_string(round), {.priority_class = index, .principal = principal}, lane);
            model.push_back({&place, index, principal, lane});
        } else if (what == 5 && !model.empty()) {
            const auto at = model.begin() + random.between(0, std::int64_t(model.size()) - 1);
            leave(*at->place);
            model.erase(at);
        } else if (!model.empty()) {
            const auto closed = unsigned(random.between(0, 3));
            std::vector<unsigned> open{0, 1, 2};
            std::erase(open, closed);
            unsigned least = Ticket::classes;
            for (const auto& w : model)
                if (w.lane != closed) least = std::min(least, w.index);
            const auto taken = next(open);
            if (least == Ticket::classes) {
                EXPECT_EQ(taken, "");
                continue;
            }
            const auto at = std::find_if(model.begin(), model.end(), [&](auto& w) { return w.place->name == taken; });
            ASSERT_NE(at, model.end());
            EXPECT_EQ(at->index, least);
            const auto first = std::find_if(model.begin(), model.end(), [&](auto& w) {
                return w.lane != closed && w.index == least && w.principal == at->principal;
            });
            EXPECT_EQ(first->place, at->place) << "a principal's own order of arrival";
            model.erase(at);
        }
        ASSERT_EQ(queue.size(), model.size());
    }
    while (!next({0, 1, 2}).empty()) {}
    EXPECT_EQ(queue.size(), 0u);
}

// While all of them wait, no principal is ever more than one turn ahead of another of its class.
TEST_F(Queues, TurnsAreEven) {
    std::map<std::string, int> served;
    for (int i = 0; i < 300; ++i)
        for (const auto* principal : {"a", "b", "c"}) add(principal, {.principal = principal});
    for (int i = 0; i < 600; ++i) {
        ++served[next()];
        const auto [least, most] = std::minmax({served["a"], served["b"], served["c"]});
        ASSERT_LE(most - least, 1);
    }
}

} // namespace
} // namespace wm::gate
