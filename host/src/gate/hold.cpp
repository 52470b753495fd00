#include "gate/hold.h"

#include "runtime/task.h"
#include "runtime/timer.h"

namespace wm::gate {

namespace {

runtime::Detached give_back_after(runtime::Loop& loop, [[maybe_unused]] std::shared_ptr<Gate> outlives_the_permit,
                                  Gate::Permit permit, Millis time) {
    runtime::Abort abort(loop);
    permit.hold();
    co_await runtime::sleep(loop, abort, time);
    permit.release();
}

runtime::Detached restore_after(runtime::Loop& loop, std::shared_ptr<Gate> gate, Part part, Millis time) {
    runtime::Abort abort(loop);
    for (std::optional<Millis> left = time; left; left = gate->restore(part, abort.fired()))
        co_await runtime::sleep(loop, abort, *left);
}

} // namespace

void hold(runtime::Loop& loop, std::shared_ptr<Gate> gate, Gate::Permit permit, Millis time) {
    if (permit && time > Millis(0)) give_back_after(loop, std::move(gate), std::move(permit), time);
}

void withhold(runtime::Loop& loop, std::shared_ptr<Gate> gate, Part part, Millis time) {
    if (gate->withhold(part, loop.clock().now() + time)) restore_after(loop, std::move(gate), part, time);
}

} // namespace wm::gate
