// A permit is never idle while somebody waits who could have it, and crowds of waiters that come and go leave nothing.
#include "base/random.h"
#include "gate/hold.h"
#include "loop_fixture.h"

#include <algorithm>
#include <array>
#include <list>
#include <string>
#include <vector>

namespace wm::gate {
namespace {

using namespace std::chrono_literals;
using runtime::Abort;
using runtime::Detached;
using runtime::Io;
using runtime::Loop;

struct Handover : runtime::LoopTest {
    std::shared_ptr<Gate> gate = std::make_shared<Gate>(4, clock);
    const std::array<Part, 3> parts{whole, gate->part("a", 1), gate->part("b", 2)};
    Random random{11};
};

struct Client {
    explicit Client(Loop& loop) : abort(loop) {}
    Abort abort;
    std::optional<Gate::Granted> granted;
    bool left = false;
    std::string principal;
    std::vector<Part> parts{}; // any of which it takes

    bool waits() const { return !granted; }
    bool has() const { return granted && granted->permit; }
};

Detached queue_up(Handover& t, Client& client, Wait wait) {
    auto granted = co_await t.gate->acquire(t.loop, client.abort, runtime::forever, wait);
    client.granted = std::move(granted);
}

Detached queue_up_for_any(Handover& t, Client& client, std::vector<Gate::Choice> choices) {
    auto granted = co_await Gate::acquire_any(t.loop, client.abort, runtime::forever, std::move(choices));
    client.granted = std::move(granted);
}

TEST_F(Handover, ThePermitGoesOnInTheTurnInWhichItComesBack) {
    gate->resize(1);
    std::list<Client> clients;
    for (unsigned i = 0; i < 100; ++i) queue_up(*this, clients.emplace_back(loop), {});
    const auto began = clock.now();
    for (auto& client : clients) {
        ASSERT_TRUE(client.has());
        client.granted->permit.release();
        loop.run_once(0ms);
    }
    EXPECT_EQ(clock.now(), began) << "no time passed";
    EXPECT_EQ(gate->state().in_flight, 0u);
}

TEST_F(Handover, NobodyWaitsWhoCouldGo) {
    std::list<Client> clients;
    const auto any = [&](auto which) -> Client* {
        std::vector<Client*> found;
        for (auto& client : clients)
            if (which(client)) found.push_back(&client);
        return found.empty() ? nullptr : found[std::size_t(random.between(0, std::int64_t(found.size()) - 1))];
    };
    for (int step = 0; step < 20'000; ++step) {
        switch (random.between(0, 7)) {
        case 0:
        case 1:
        case 2:
            if (clients.size() < 60) {
                auto& client = clients.emplace_back(loop);
                const Ticket ticket{.priority_class = unsigned(random.between(0, 2))};
                std::vector<Gate::Choice> choices;
                for (const auto part : parts)
                    if (random.between(0, 1) == 1) choices.push_back({gate.get(), {.part = part, .ticket = ticket}});
                if (choices.empty()) choices.push_back({gate.get(), {.ticket = ticket}});
                for (const auto& choice : choices) client.parts.push_back(choice.wait.part);
                queue_up_for_any(*this, client, std::move(choices));
            }
            break;
        case 3:
            if (auto* client = any([](auto& c) { return c.waits(); })) client->abort.fire();
            break;
        case 4:
            if (auto* client = any([](auto& c) { return c.has(); }))
                hold(loop, gate, std::move(client->granted->permit), Millis(random.between(0, 40)));
            break;
        case 5: {
            std::array<Gate::Size, 2> sizes;
            for (auto& size : sizes) size = {parts[std::size_t(random.between(0, 2))], unsigned(random.between(1, 5))};
            gate->resize(sizes);
            break;
        }
        case 6: withhold(loop, gate, parts[std::size_t(random.between(0, 2))], Millis(random.between(10, 60))); break;
        default: advance(10ms);
        }
        loop.run_once(0ms);
        std::erase_if(clients, [](auto& c) { return c.granted && !c.granted->permit; });
        unsigned waiting = 0;
        for (const auto& client : clients) {
            if (!client.waits()) continue;
            ++waiting;
            for (const auto part : client.parts) ASSERT_FALSE(gate->has_room(part)) << "and it waits for part " << part;
        }
        ASSERT_EQ(gate->waiting(), waiting) << "each counts once";
    }
    for (auto& client : clients) client.abort.fire();
    settle();
    clients.clear();
    for (int i = 0; i < 10; ++i) advance(10ms);
    EXPECT_EQ(gate->state().in_flight + gate->state().held + gate->waiting(), 0u);
    EXPECT_FALSE(gate->state().withheld);
}

TEST_F(Handover, TenThousandThatComeAndGoDrain) {
    constexpr unsigned count = 10'000;
    gate->resize(3);
    std::list<Client> clients;
    std::vector<Client*> by_number;
    std::vector<Gate::Permit> all;
    while (auto permit = gate->try_acquire()) all.push_back(std::move(*permit));
    for (unsigned i = 0; i < count; ++i) {
        auto& client = clients.emplace_back(loop);
        client.principal = std::string(1, char('a' + random.between(0, 25)));
        by_number.push_back(&client);
        queue_up(*this, client,
                 {.part = parts[std::size_t(random.between(0, 2))],
                  .ticket = {.priority_class = 1, .principal = client.principal}});
    }
    EXPECT_EQ(gate->waiting(), count);
    for (unsigned i = 0; i < count / 3; ++i) {
        auto& client = *by_number[std::size_t(random.between(0, count - 1))];
        client.left = true;
        client.abort.fire();
    }
    settle();
    all.clear();

    unsigned served = 0, left = 0;
    for (unsigned turn = 0; gate->waiting() + gate->state().in_flight > 0 && turn < 2 * count; ++turn) {
        loop.run_once(0ms);
        ASSERT_LE(gate->state().in_flight, 3u);
        for (auto client = clients.begin(); client != clients.end();) {
            if (client->waits()) {
                ++client;
                continue;
            }
            if (client->has())
                ++served;
            else
                ++left;
            EXPECT_EQ(client->granted->status, client->left ? Io::cancelled : Io::ok);
            client = clients.erase(client); // its permit goes back
        }
    }
    EXPECT_EQ(served + left, count) << "somebody starved";
    EXPECT_GT(left, count / 5);
    EXPECT_EQ(gate->state().in_flight + gate->waiting(), 0u);
}

} // namespace
} // namespace wm::gate
