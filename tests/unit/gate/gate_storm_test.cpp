// Several loops fight for a gate while waits time out, are cancelled, and the limit changes. At the end every permit is
// back; at no time are there more than the limit allows.
#include "base/random.h"
#include "gate/gate.h"
#include "runtime/task.h"
#include "runtime/timer.h"
#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <thread>

namespace wm::gate {
namespace {

using namespace std::chrono_literals;
using runtime::Abort;
using runtime::Detached;
using runtime::Io;
using runtime::Loop;

struct Storm {
    static constexpr unsigned threads = 3, clients = 24, rounds = 60;
    const unsigned max_limit;
    SystemClock clock;
    Gate gate{max_limit, clock}, other{1, clock};
    const std::array<Part, 3> parts{whole, gate.part("a", 1), gate.part("b", max_limit)};
    runtime::Notice changes;
    std::atomic<int> inside = 0, worst = 0;
    std::atomic<long> looked_away = 0;
    std::atomic<long> granted = 0, elsewhere = 0, timed_out = 0, cancelled = 0;

    explicit Storm(unsigned limit) : max_limit(limit) {}

    void enter() {
        const int now = ++inside;
        for (int seen = worst; now > seen && !worst.compare_exchange_weak(seen, now);) {}
    }
};

// Owned by one loop's thread.
struct Side {
    Side(Storm& s, std::uint64_t seed) : storm(s), random(seed) {}
    Storm& storm;
    SystemClock clock;
    Loop loop{clock};
    Random random;
    unsigned left = Storm::clients;
};

Detached client(Side& side) {
    auto& storm = side.storm;
    for (unsigned round = 0; round < Storm::rounds; ++round) {
        Abort abort(side.loop);
        if (side.random.between(0, 3) == 0) side.loop.post([&abort] { abort.fire(); }); // the round waits for it below
        constexpr std::string_view principals[] = {"a", "b", "c"};
        const Ticket ticket{.priority_class = unsigned(side.random.between(0, 2)),
                            .principal = principals[side.random.between(0, 2)],
                            .promote_after = side.random.between(0, 1) ? std::optional(5ms) : std::nullopt};
        const Wait wait{.part = storm.parts[std::size_t(side.random.between(0, 2))], .ticket = ticket};
        std::vector<Gate::Choice> choices{{&storm.gate, wait}};
        if (side.random.between(0, 2) == 0) choices.insert(choices.begin(), {&storm.other, {.ticket = ticket}});
        const auto until = side.clock.now() + Millis(side.random.between(0, 3) * 10);
        Gate::Entry entry;
        Gate::Granted granted;
        for (bool again = true; again;) {
            const auto seen = storm.changes.version();
            entry.choose(choices);
            const auto left = std::chrono::ceil<Millis>(until - side.clock.now());
            granted = co_await entry.acquire(side.loop, abort, std::max(left, 0ms), storm.changes, seen);
            again = granted.status == Io::ok && !granted.permit;
            if (!again) continue;
            ++storm.looked_away;
            if (side.random.between(0, 1) == 0) co_await runtime::sleep(side.loop, abort, 0ms);
            if (side.random.between(0, 3) == 0) std::swap(choices.front(), choices.back());
            if (side.random.between(0, 3) == 0 && choices.size() > 1) choices.pop_back();
        }
        if (granted.status == Io::ok && choices[granted.choice].gate == &storm.other) {
            EXPECT_TRUE(granted.permit);
            ++storm.elsewhere;
            co_await runtime::sleep(side.loop, abort, Millis(side.random.between(0, 1) * 5));
        } else if (granted.status == Io::ok) {
            EXPECT_TRUE(granted.permit);
            storm.enter();
            ++storm.granted;
            co_await runtime::sleep(side.loop, abort, Millis(side.random.between(0, 1) * 5));
            --storm.inside;
            if (side.random.between(0, 1) == 0) granted.permit.release();
        } else {
            EXPECT_FALSE(granted.permit);
            ++(granted.status == Io::timed_out ? storm.timed_out : storm.cancelled);
        }
        Abort calm(side.loop);
        co_await runtime::sleep(side.loop, calm, 0ms); // a posted call has run by now
    }
    if (--side.left == 0) side.loop.stop();
}

void run(Storm& storm, std::uint64_t seed) {
    Side side(storm, seed);
    for (unsigned i = 0; i < Storm::clients; ++i) client(side);
    side.loop.run();
    EXPECT_EQ(side.left, 0u);
}

class GateStorm : public testing::TestWithParam<unsigned> {};

TEST_P(GateStorm, PermitsAreNeitherLostNorDoubled) {
    Storm storm(GetParam());
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < Storm::threads; ++i) threads.emplace_back([&, i] { run(storm, 100 * GetParam() + i); });
    std::atomic<bool> over = false;
    std::thread resizer([&] {
        Random random(5);
        auto raised = storm.clock.now();
        while (!over) {
            storm.gate.resize(unsigned(random.between(1, storm.max_limit)));
            if (const auto now = storm.clock.now(); now > raised + 3ms) raised = now, storm.changes.raise();
            std::this_thread::yield();
        }
    });
    for (auto& t : threads) t.join();
    over = true;
    resizer.join();
    EXPECT_EQ(storm.gate.state().in_flight, 0u);
    EXPECT_EQ(storm.gate.waiting(), 0u);
    EXPECT_EQ(storm.other.state().in_flight + storm.other.waiting(), 0u);
    for (const auto& part : storm.gate.parts()) EXPECT_EQ(part.in_flight + part.waiting, 0u) << part.name;
    EXPECT_EQ(storm.inside, 0);
    EXPECT_LE(storm.worst, int(storm.max_limit));
    EXPECT_EQ(storm.granted + storm.elsewhere + storm.timed_out + storm.cancelled,
              long(Storm::threads * Storm::clients * Storm::rounds));
    EXPECT_GT(storm.granted, 0);
    EXPECT_GT(storm.looked_away, 0);
    EXPECT_GT(storm.elsewhere, 0);
    EXPECT_GT(storm.timed_out, 0);
    EXPECT_GT(storm.cancelled, 0);
    storm.gate.resize(1);
    EXPECT_TRUE(storm.gate.try_acquire()) << "a permit was lost";
}

INSTANTIATE_TEST_SUITE_P(Limits, GateStorm, testing::Values(1, 2, 7));

// Stopping the loops in the middle gives everything back too.
TEST(GateStop, UnwindsWithoutLosingPermits) {
    for (int turn = 0; turn < 20; ++turn) {
        SystemClock time;
        Gate gate(2, time);
        std::atomic<Loop*> loops[2] = {};
        std::vector<std::thread> threads;
        for (auto& slot : loops)
            threads.emplace_back([&gate, &slot] {
                SystemClock clock;
                Loop loop(clock);
                for (int i = 0; i < 8; ++i)
                    [](Loop& l, Gate& g) -> Detached {
                        Abort abort(l);
                        while (!abort.fired()) {
                            const auto granted = co_await g.acquire(l, abort, 1h);
                            co_await runtime::sleep(l, abort, 0ms);
                        }
                    }(loop, gate);
                loop.post([&] { slot = &loop; });
                loop.run();
                slot = nullptr;
            });
        for (auto& slot : loops) {
            while (!slot) std::this_thread::yield();
            slot.load()->stop();
        }
        for (auto& t : threads) t.join();
        EXPECT_EQ(gate.state().in_flight, 0u);
        EXPECT_EQ(gate.waiting(), 0u);
    }
}

} // namespace
} // namespace wm::gate
