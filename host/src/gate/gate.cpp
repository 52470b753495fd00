#include "gate/gate.h"

#include <algorithm>

namespace wm::gate {

Part Gate::part(std::string_view name, unsigned limit) {
    std::lock_guard lock(mutex_);
    for (Part part = whole + 1; part < parts_.size(); ++part)
        if (parts_[part].name == name) return part;
    parts_.push_back({.name = std::string(name), .limit = limit});
    return Part(parts_.size() - 1);
}

template <class Change>
void Gate::change(Part part, Change&& change) {
    change(parts_[whole]);
    if (part != whole) change(parts_[part]);
}

Gate::Permit Gate::grant(Part part) {
    change(part, [](Count& count) { ++count.in_flight; });
    return {*this, part};
}

// Nobody who waits could go now, so whoever finds room overtakes nobody.
std::optional<Gate::Permit> Gate::try_acquire(Part part) {
    std::lock_guard lock(mutex_);
    if (!free(part)) return std::nullopt;
    return grant(part);
}

void Gate::resize(unsigned limit, Part part) {
    std::lock_guard lock(mutex_);
    parts_[part].limit = limit;
    serve();
}

bool Gate::withhold(Part part, SteadyTime until) {
    std::lock_guard lock(mutex_);
    auto& kept = parts_[part].withheld_until;
    const bool first = !kept;
    kept = std::max(until, kept.value_or(until));
    return first;
}

std::optional<Millis> Gate::restore(Part part, bool at_once) {
    std::lock_guard lock(mutex_);
    auto& until = parts_[part].withheld_until;
    if (const auto now = clock_.now(); until && *until > now && !at_once)
        return std::chrono::ceil<Millis>(*until - now);
    until.reset();
    serve();
    return std::nullopt;
}

Gate::State Gate::state_of(const Count& count, unsigned waiting) const {
    return {count.name, count.limit, count.in_flight, count.held, bool(count.withheld_until), waiting, count.waits};
}

Gate::State Gate::state() const {
    std::lock_guard lock(mutex_);
    return state_of(parts_[whole], queue_.size());
}

std::vector<Gate::State> Gate::parts() const {
    std::lock_guard lock(mutex_);
    std::vector<State> states;
    for (Part part = whole + 1; part < parts_.size(); ++part)
        states.push_back(state_of(parts_[part], queue_.size(part)));
    return states;
}

unsigned Gate::in_flight() const {
    std::lock_guard lock(mutex_);
    return parts_[whole].in_flight;
}

unsigned Gate::waiting() const {
    std::lock_guard lock(mutex_);
    return queue_.size();
}

void Gate::Permit::hold() {
    if (gate_ && !std::exchange(held_, true)) gate_->hold(part_);
}

void Gate::hold(Part part) {
    std::lock_guard lock(mutex_);
    change(part, [](Count& count) { --count.in_flight, ++count.held; });
}

void Gate::give_back(Part part, bool held) {
    std::lock_guard lock(mutex_);
    change(part, [held](Count& count) { --(held ? count.held : count.in_flight); });
    serve();
}

Queue::Standing& Gate::standing_of(runtime::Link& place) {
    return static_cast<Acquire&>(static_cast<runtime::QueuedWaiter::Place&>(place).owner).standing_;
}

// Afterwards nobody waits who could go.
void Gate::serve() {
    while (queue_.size() > 0 && parts_[whole].free()) {
        open_.clear();
        for (Part part = whole; part < parts_.size(); ++part)
            if (parts_[part].free() && queue_.size(part) > 0) open_.push_back(part);
        auto* next = queue_.take(clock_.now(), open_);
        if (!next) return;
        auto& acquire = static_cast<Acquire&>(static_cast<runtime::QueuedWaiter::Place&>(*next).owner);
        acquire.permit_ = grant(acquire.standing_.lane);
        acquire.deliver();
    }
}

bool Gate::Acquire::attempt() {
    if (auto permit = gate_.try_acquire(standing_.lane)) permit_ = std::move(*permit);
    return bool(permit_);
}

bool Gate::Acquire::attach() {
    std::lock_guard lock(gate_.mutex_);
    if (gate_.free(standing_.lane)) { // one came back since the attempt
        permit_ = gate_.grant(standing_.lane);
        return false;
    }
    if (depth_ && gate_.queue_.size() >= *depth_) {
        status_ = runtime::Io::failed;
        return false;
    }
    gate_.change(standing_.lane, [](Count& count) { ++count.waits; });
    gate_.queue_.add(place_, gate_.clock_.now());
    return true;
}

} // namespace wm::gate
