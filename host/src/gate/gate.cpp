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

Queue::Standing& Gate::standing_of(runtime::Link& place) { return static_cast<Place&>(place).standing; }

// Afterwards nobody waits who could go.
void Gate::serve() {
    while (queue_.size() > 0 && parts_[whole].free()) {
        open_.clear();
        for (Part part = whole; part < parts_.size(); ++part)
            if (parts_[part].free() && queue_.size(part) > 0) open_.push_back(part);
        auto* next = queue_.next(clock_.now(), open_);
        if (!next) return;
        auto& place = static_cast<Place&>(*next);
        auto& entry = place.stand.entry;
        const auto was = entry.state_.exchange(Entry::State::claimed);
        const bool goes = was != Entry::State::claimed; // else it got one elsewhere, or is on its way out
        if (goes) queue_.go(place);
        leave(place.stand);
        if (!goes) continue;
        entry.permit_ = grant(place.part);
        if (was == Entry::State::awaited) entry.waiting_->deliver();
    }
}

void Gate::leave(Stand& stand) {
    for (auto& place : stand.places)
        if (!place.alone()) queue_.leave(place);
}

Gate::Place& Gate::Stand::place_for(Part part) {
    for (auto& place : places)
        if (place.part == part) return place;
    return places.emplace_back(*this, part);
}

Gate::Place* Gate::Stand::first(const Place* but) {
    for (auto& place : places)
        if (&place != but && !place.alone()) return &place;
    return nullptr;
}

bool Gate::Entry::chosen(const Place& place) const {
    return std::any_of(choices_.begin(), choices_.end(), [&](const Choice& choice) {
        return choice.gate == &place.stand.gate && choice.wait.part == place.part;
    });
}

void Gate::Entry::choose(std::vector<Choice> choices) {
    choices_ = std::move(choices);
    const bool was_claimed = claimed();
    for (auto& stand : stands_) {
        std::lock_guard lock(stand.gate.mutex_);
        for (auto& place : stand.places) {
            if (place.alone() || chosen(place)) continue;
            if (auto* other = stand.first(&place); other && place.standing.counts)
                stand.gate.queue_.count_instead(place, *other);
            stand.gate.queue_.leave(place);
        }
    }
    if (was_claimed && !permit_) state_ = State::idle; // what it was claimed for has been taken
}

bool Gate::Entry::try_acquire() {
    if (claimed()) return true;
    for (const auto& choice : choices_) {
        auto permit = choice.gate->try_acquire(choice.wait.part);
        if (!permit) continue;
        if (claim()) permit_ = std::move(*permit); // else one came from another gate meanwhile
        return true;
    }
    return false;
}

// By all its choices at one gate, as one who waits.
Gate::Entry::Entered Gate::Entry::enter(Stand& stand) {
    auto& gate = stand.gate;
    std::lock_guard lock(gate.mutex_);
    for (const auto& choice : choices_) {
        if (choice.gate != &gate || !gate.free(choice.wait.part)) continue; // free: one came back since it was tried
        if (claim()) permit_ = gate.grant(choice.wait.part);
        return Entered::claimed;
    }
    auto* first = stand.first(); // whose depth and ticket are those of all: it stands there as one
    const auto now = gate.clock_.now();
    for (const auto& [at, wait] : choices_) {
        if (at != &gate) continue;
        auto& place = stand.place_for(wait.part);
        if (!place.alone()) continue;
        if (!first && wait.depth && gate.queue_.size() >= *wait.depth) return Entered::full;
        place.standing.ticket = first ? first->standing.ticket : wait.ticket;
        place.standing.lane = wait.part;
        place.standing.counts = !first;
        place.standing.route = wait.route;
        if (!first) ++gate.parts_[whole].waits;
        if (wait.part != whole) ++gate.parts_[wait.part].waits;
        gate.queue_.add(place, now);
        if (!first) first = &place;
    }
    return first ? Entered::waiting : Entered::full;
}

Gate::Entry::Entered Gate::Entry::enter() {
    for (const auto& choice : choices_)
        if (std::none_of(stands_.begin(), stands_.end(), [&](const Stand& s) { return &s.gate == choice.gate; }))
            stands_.emplace_back(*this, *choice.gate);
    auto all = Entered::full;
    for (auto& stand : stands_) {
        const auto entered = enter(stand);
        if (entered == Entered::claimed) return entered;
        if (entered == Entered::waiting) all = entered;
    }
    return all;
}

// A gate that claimed it holds its mutex until the permit is there.
Gate::Granted Gate::Entry::take() {
    for (auto& stand : stands_) std::lock_guard lock(stand.gate.mutex_);
    Granted granted{runtime::Io::ok, std::move(permit_)};
    for (; granted.choice < choices_.size(); ++granted.choice)
        if (const auto& [gate, wait] = choices_[granted.choice];
            gate == granted.permit.gate_ && wait.part == granted.permit.part_)
            return granted;
    return {runtime::Io::ok, {}, 0}; // it wants that no more: the permit goes back
}

// Takes every gate's mutex, also where it stands in the queue no more: a gate that let it go may still be looking at
// it.
void Gate::Entry::leave() {
    state_ = State::claimed;
    for (auto& stand : stands_) {
        std::lock_guard lock(stand.gate.mutex_);
        stand.gate.leave(stand);
    }
}

bool Gate::Acquire::attach() {
    switch (entry_.enter()) {
    case Entry::Entered::waiting: break;
    case Entry::Entered::full: status_ = runtime::Io::failed; return false;
    case Entry::Entered::claimed: return false;
    }
    entry_.waiting_ = this;
    if (!entry_.pass(State::idle, State::awaited)) return false; // one has come meanwhile
    if (!changes_ || changes_->listen(*this, seen_)) return true;
    return !entry_.pass(State::awaited, State::idle); // a permit may be on its way already
}

bool Gate::Acquire::detach() {
    if (!entry_.pass(State::awaited, State::idle)) return false;
    if (own_) own_->leave(); // it does not wait again
    return true;
}

Gate::Granted Gate::Acquire::await_resume() {
    if (changes_) changes_->forget(*this);
    if (status_ != runtime::Io::ok || !entry_.claimed()) return {status_, {}, 0};
    return entry_.take();
}

} // namespace wm::gate
