#include "gate/gate.h"

namespace wm::gate {

std::optional<Gate::Permit> Gate::try_acquire() {
    std::lock_guard lock(mutex_);
    if (waiting_ > 0 || !free())
        return std::nullopt;
    ++in_flight_;
    return Permit(*this);
}

void Gate::resize(unsigned limit) {
    std::lock_guard lock(mutex_);
    limit_ = limit;
    serve();
}

unsigned Gate::in_flight() const {
    std::lock_guard lock(mutex_);
    return in_flight_;
}

unsigned Gate::waiting() const {
    std::lock_guard lock(mutex_);
    return waiting_;
}

void Gate::give_back() {
    std::lock_guard lock(mutex_);
    --in_flight_;
    serve();
}

void Gate::serve() {
    while (waiting_ > 0 && free()) {
        auto& acquire = static_cast<Acquire&>(static_cast<runtime::QueuedWaiter::Place&>(*queue_.next).owner);
        queue_.next->unlink();
        --waiting_;
        ++in_flight_;
        acquire.permit_ = Permit(*this);
        acquire.deliver();
    }
}

bool Gate::Acquire::attempt() {
    if (auto permit = gate_.try_acquire())
        permit_ = std::move(*permit);
    return bool(permit_);
}

bool Gate::Acquire::attach() {
    std::lock_guard lock(gate_.mutex_);
    ++gate_.waiting_;
    gate_.queue_.append(place_);
    gate_.serve(); // a permit may have come back since the attempt; a delivery to our own loop comes after this await
    return true;
}

} // namespace wm::gate
