#include "gate/gate.h"

namespace wm::gate {

std::optional<Gate::Permit> Gate::try_acquire() {
    std::lock_guard lock(mutex_);
    if (queue_.size() > 0 || !free()) return std::nullopt;
    ++in_flight_;
    return Permit(*this);
}

void Gate::resize(unsigned limit) {
    std::lock_guard lock(mutex_);
    limit_ = limit;
    serve();
}

Gate::State Gate::state() const {
    std::lock_guard lock(mutex_);
    return {limit_, in_flight_, queue_.size(), waits_};
}

unsigned Gate::in_flight() const {
    std::lock_guard lock(mutex_);
    return in_flight_;
}

unsigned Gate::waiting() const {
    std::lock_guard lock(mutex_);
    return queue_.size();
}

void Gate::give_back() {
    std::lock_guard lock(mutex_);
    --in_flight_;
    serve();
}

Queue::Standing& Gate::standing_of(runtime::Link& place) {
    return static_cast<Acquire&>(static_cast<runtime::QueuedWaiter::Place&>(place).owner).standing_;
}

void Gate::serve() {
    while (queue_.size() > 0 && free()) {
        auto& place = static_cast<runtime::QueuedWaiter::Place&>(queue_.take(clock_.now()));
        auto& acquire = static_cast<Acquire&>(place.owner);
        ++in_flight_;
        acquire.permit_ = Permit(*this);
        acquire.deliver();
    }
}

bool Gate::Acquire::attempt() {
    if (auto permit = gate_.try_acquire()) permit_ = std::move(*permit);
    return bool(permit_);
}

bool Gate::Acquire::attach() {
    std::lock_guard lock(gate_.mutex_);
    ++gate_.waits_;
    gate_.queue_.add(place_, gate_.clock_.now());
    gate_.serve(); // a permit may have come back since the attempt; a delivery to our own loop comes after this await
    return true;
}

} // namespace wm::gate
