// An upstream that counts a request for 300 ms after its end, and lets so many in: with a cooldown it never sees one
// too many, without it does.
#include "mount/holds.h"

#include "base/random.h"
#include "gate/hold.h"
#include "loop_fixture.h"

#include <deque>

namespace wm::mount {
namespace {

using namespace std::chrono_literals;
using runtime::Detached;

class LateCounter {
  public:
    LateCounter(const Clock& clock, std::size_t limit) : clock_(clock), limit_(limit) {}

    void begin() {
        while (!ended_.empty() && ended_.front() + lag <= clock_.now()) ended_.pop_front();
        if (in_flight_ + ended_.size() >= limit_) ++violations;
        ++in_flight_;
        ++requests;
    }
    void end() {
        --in_flight_;
        ended_.push_back(clock_.now());
    }
    unsigned requests = 0, violations = 0;

  private:
    static constexpr Millis lag{300};
    const Clock& clock_;
    const std::size_t limit_;
    std::size_t in_flight_ = 0;
    std::deque<SteadyTime> ended_;
};

struct AccountingLag : runtime::LoopTest {
    static constexpr unsigned limit = 4, clients = 32;
    std::shared_ptr<gate::Gate> gate = std::make_shared<gate::Gate>(limit, clock);
    LateCounter upstream{clock, limit};
    Random random{3};
    unsigned left = clients;

    Detached client(const config::Holds& holds, unsigned requests) {
        constexpr Verdict verdicts[] = {Verdict::success, Verdict::success, Verdict::abandoned, Verdict::server_error,
                                        Verdict::throttled};
        for (unsigned i = 0; i < requests; ++i) {
            auto granted = co_await gate->acquire(loop, abort, runtime::forever);
            if (granted.status != runtime::Io::ok) break;
            upstream.begin();
            co_await runtime::sleep(loop, abort, Millis(random.between(0, 80)));
            upstream.end();
            const auto time = hold_after(holds, verdicts[random.between(0, 4)], 0ms);
            gate::hold(loop, gate, std::move(granted.permit), time);
        }
        --left;
    }
    void run(const config::Holds& holds, unsigned requests) {
        for (unsigned i = 0; i < clients; ++i) client(holds, requests);
        for (int step = 0; left > 0 && step < 200'000; ++step) advance(10ms);
        EXPECT_EQ(left, 0u);
        EXPECT_EQ(upstream.requests, clients * requests);
    }
};

TEST_F(AccountingLag, ACooldownOfTheLagKeepsTheUpstreamFromSeeingTooMany) { // BC-090
    run({.release_cooldown = 300ms, .cancel_cooldown = 0ms, .failure_hold = 0ms}, 150);
    EXPECT_EQ(upstream.violations, 0u);
}

TEST_F(AccountingLag, WithoutOneItSeesThem) {
    run({.release_cooldown = 0ms, .cancel_cooldown = 0ms, .failure_hold = 0ms}, 150);
    EXPECT_GT(upstream.violations, 1000u);
}

TEST_F(AccountingLag, HoldsThatAreLongerCostThroughputAlone) {
    run({.release_cooldown = 300ms, .cancel_cooldown = 200ms, .failure_hold = 2s}, 20);
    EXPECT_EQ(upstream.violations, 0u);
}

} // namespace
} // namespace wm::mount
