// Permits that go back later, and the one that is taken out of use for a time.
#include "gate/hold.h"

#include "loop_fixture.h"

namespace wm::gate {
namespace {

using namespace std::chrono_literals;
using runtime::Abort;
using runtime::Io;
using runtime::Loop;

struct Holds : runtime::LoopTest {
    std::shared_ptr<Gate> gate = std::make_shared<Gate>(1, clock);
    using Slot = std::optional<Gate::Granted>;

    Gate::Permit permit(Part part = whole) {
        auto granted = gate->try_acquire(part);
        EXPECT_TRUE(granted);
        return granted ? std::move(*granted) : Gate::Permit();
    }
    void acquire(Slot& out) {
        runtime::into([this] { return gate->acquire(loop, abort, 1h); }, out);
    }
};

TEST_F(Holds, APermitGoesBackAfterItsTime) {
    hold(loop, gate, permit(), 200ms);
    EXPECT_EQ(gate->state().in_flight, 0u);
    EXPECT_EQ(gate->state().held, 1u);
    EXPECT_FALSE(gate->try_acquire());
    Slot waiting;
    acquire(waiting);
    advance(190ms);
    EXPECT_FALSE(waiting) << "before its time";
    advance(20ms); // a tick of the loop's wheel
    settle();
    ASSERT_TRUE(waiting);
    EXPECT_EQ(waiting->status, Io::ok);
    EXPECT_EQ(gate->state().held, 0u);
}

TEST_F(Holds, WithoutATimeItGoesBackAtOnce) {
    hold(loop, gate, permit(), 0ms);
    EXPECT_TRUE(gate->try_acquire());
    hold(loop, gate, Gate::Permit(), 1s); // a request that is exempt has none
    EXPECT_EQ(gate->state().held, 0u);
}

TEST_F(Holds, APartIsHeldInTheWholeToo) {
    const auto part = gate->part("part", 1);
    hold(loop, gate, permit(part), 100ms);
    EXPECT_EQ(gate->state().held, 1u);
    EXPECT_EQ(gate->parts().front().held, 1u);
    gate->resize(2);
    EXPECT_TRUE(gate->try_acquire());
    EXPECT_FALSE(gate->try_acquire(part));
    advance(110ms);
    EXPECT_TRUE(gate->try_acquire(part));
}

TEST_F(Holds, OutliveEverybodyElsesInterestInTheGate) {
    const std::weak_ptr<Gate> seen = gate;
    hold(loop, gate, permit(), 100ms);
    gate.reset(); // its mount went with a reload
    advance(50ms);
    EXPECT_FALSE(seen.expired());
    advance(60ms);
    EXPECT_TRUE(seen.expired());
}

TEST_F(Holds, EndWithTheirLoop) {
    {
        Loop other(clock);
        other.post([&] {
            hold(other, gate, permit(), 1h);
            withhold(other, gate, whole, 1h);
            other.stop();
        });
        other.run(); // it returns: nothing keeps it
    }
    EXPECT_EQ(gate->state().held, 0u);
    EXPECT_FALSE(gate->state().withheld);
    EXPECT_TRUE(gate->try_acquire());
}

// BC-095 BC-096
TEST_F(Holds, HeadroomIsOnePermitAndNeverTheLast) {
    gate->resize(2);
    withhold(loop, gate, whole, 1s);
    withhold(loop, gate, whole, 1s);
    auto one = permit();
    EXPECT_FALSE(gate->try_acquire());
    gate->resize(1);
    one.release();
    EXPECT_TRUE(gate->try_acquire()) << "the last one";
}

// BC-096
TEST_F(Holds, HeadroomEndsAfterAQuietWindow) {
    gate->resize(2);
    const auto one = permit();
    Slot waiting;
    withhold(loop, gate, whole, 1s);
    acquire(waiting);
    advance(900ms);
    withhold(loop, gate, whole, 1s); // another complaint: the time begins again
    advance(900ms);
    settle();
    EXPECT_FALSE(waiting);
    EXPECT_TRUE(gate->state().withheld);
    advance(110ms);
    settle();
    EXPECT_TRUE(waiting) << "nobody came by, and still it is let in";
    EXPECT_FALSE(gate->state().withheld);
}

TEST_F(Holds, HeadroomWaitsForAPermitInUseToComeBack) {
    gate->resize(2);
    auto one = permit(), two = permit();
    withhold(loop, gate, whole, 1s);
    one.release();
    EXPECT_FALSE(gate->try_acquire());
    two.release();
    EXPECT_TRUE(gate->try_acquire());
}

} // namespace
} // namespace wm::gate
