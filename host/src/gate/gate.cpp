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

bool Gate::has_room(Part part) const {
    std::lock_guard lock(mutex_);
    return free(part);
}

void Gate::resize(std::span<const Size> sizes) {
    std::lock_guard lock(mutex_);
    for (const auto& size : sizes) parts_[size.part].limit = size.limit;
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

std::vector<Gate::Waiter> Gate::first(std::size_t most) const {
    std::lock_guard lock(mutex_);
    const auto now = clock_.now();
    std::vector<Waiter> out;
    for (const auto* standing : queue_.first(most))
        out.push_back({std::string(standing->ticket.principal), std::string(standing->route),
                       standing->ticket.priority_class,
                       std::chrono::duration_cast<Millis>(now - standing->line.since)});
    return out;
}

std::vector<LineState> Gate::lines() const {
    std::lock_guard lock(mutex_);
    return queue_.lines().states();
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

Queue::Standing& Gate::standing_of(runtime::Link& place) { return static_cast<Acquire::Place&>(place).standing; }

// Afterwards nobody waits who could go.
void Gate::serve() {
    while (queue_.size() > 0 && parts_[whole].free()) {
        open_.clear();
        for (Part part = whole; part < parts_.size(); ++part)
            if (parts_[part].free() && queue_.size(part) > 0) open_.push_back(part);
        auto* next = queue_.next(clock_.now(), open_);
        if (!next) return;
        auto& place = static_cast<Acquire::Place&>(*next);
        auto& waiter = place.owner;
        const bool goes = waiter.claim(); // else it got one elsewhere, or its time was up: it is on its way out
        if (goes) queue_.go(place);
        leave(waiter);
        if (!goes) continue;
        waiter.permit_ = grant(place.standing.lane);
        waiter.choice_ = place.choice;
        waiter.deliver();
    }
}

void Gate::leave(Acquire& waiter) {
    for (auto& place : waiter.places_)
        if (&place.gate() == this && !place.alone()) queue_.leave(place);
}

Gate::Granted Gate::Acquire::await_resume() {
    leave();
    return {status_, std::move(permit_), choice_};
}

bool Gate::Acquire::attempt() {
    for (choice_ = 0; choice_ < choices_.size(); ++choice_) {
        auto permit = choices_[choice_].gate->try_acquire(choices_[choice_].wait.part);
        if (!permit) continue;
        permit_ = std::move(*permit);
        return true;
    }
    return false;
}

// By all its choices at one gate, as one who waits.
Gate::Acquire::Entered Gate::Acquire::enter(Gate& gate) {
    std::lock_guard lock(gate.mutex_);
    for (auto& place : places_) {
        const auto part = choices_[place.choice].wait.part;
        if (&place.gate() != &gate || !gate.free(part)) continue; // free: one came back since the attempt
        if (!claim()) return Entered::claimed;                    // and one came from another gate: it is on its way
        permit_ = gate.grant(part);
        choice_ = place.choice;
        return Entered::free;
    }
    const Wait* first = nullptr; // whose depth and ticket are those of all: it stands there as one
    const auto now = gate.clock_.now();
    for (auto& place : places_) {
        if (&place.gate() != &gate) continue;
        const auto& wait = choices_[place.choice].wait;
        if (!first && wait.depth && gate.queue_.size() >= *wait.depth) return Entered::full;
        place.standing.ticket = first ? first->ticket : wait.ticket;
        place.standing.lane = wait.part;
        place.standing.counts = !first;
        place.standing.route = wait.route;
        if (!first) ++gate.parts_[whole].waits;
        if (wait.part != whole) ++gate.parts_[wait.part].waits;
        gate.queue_.add(place, now);
        if (!first) first = &wait;
    }
    return Entered::waiting;
}

bool Gate::Acquire::attach() {
    for (std::size_t choice = 0; choice < choices_.size(); ++choice) places_.emplace_back(*this, choice);
    bool waiting = false;
    for (const auto& place : places_) {
        const auto first = std::find_if(places_.begin(), places_.end(),
                                        [&](const Place& earlier) { return &earlier.gate() == &place.gate(); });
        if (&*first != &place) continue; // entered by an earlier choice
        switch (enter(place.gate())) {
        case Entered::waiting: waiting = true; break;
        case Entered::full: break;
        case Entered::free: return false;
        case Entered::claimed: return true;
        }
    }
    if (waiting) return true;
    status_ = runtime::Io::failed;
    return false;
}

bool Gate::Acquire::detach() {
    if (!claim()) return false;
    leave();
    return true;
}

// Takes every gate's mutex, also where it stands in the queue no more: a gate that let it go may still be looking at
// it.
void Gate::Acquire::leave() {
    for (auto& place : places_) {
        auto& gate = place.gate();
        std::lock_guard lock(gate.mutex_);
        gate.leave(*this);
    }
    places_.clear();
}

} // namespace wm::gate
