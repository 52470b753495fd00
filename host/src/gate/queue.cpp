#include "gate/queue.h"

#include <algorithm>

namespace wm::gate {

namespace {

constexpr std::uint64_t whole_turn = std::uint64_t(1) << 20;

} // namespace

void Queue::add(runtime::Link& place, SteadyTime now) {
    auto& standing = standing_of_(place);
    enter(place, standing, std::min(standing.ticket.priority_class, Ticket::classes - 1));
    if (class_of(standing) > 0 && standing.ticket.promote_after)
        standing.promotion = promotions_.emplace(now + *standing.ticket.promote_after, &place);
    ++size_;
}

void Queue::enter(runtime::Link& place, Standing& standing, unsigned index) {
    auto& home = classes_[index];
    auto found = home.flows.find(standing.ticket.principal);
    if (found == home.flows.end()) {
        found = home.flows.try_emplace(std::string(standing.ticket.principal)).first;
        found->second.home = &home;
    }
    auto& flow = found->second;
    if (flow.waiting.alone()) { // who was away does not come back with turns saved up, nor rid of those it used
        flow.turn = {std::max(flow.turn.first, home.now), ++activations_};
        home.active.emplace(flow.turn, &flow);
    }
    flow.waiting.append(place);
    standing.flow = &flow;
}

// The place is unlinked already.
void Queue::leave_flow(Standing& standing) {
    auto& flow = *std::exchange(standing.flow, nullptr);
    if (!flow.waiting.alone()) return;
    auto& home = *flow.home;
    home.active.erase(flow.turn);
    if (!home.active.empty()) return;
    home.flows.clear(); // nobody competes: nothing is owed
    home.now = 0;
}

void Queue::left(Standing& standing) {
    if (standing.promotion) promotions_.erase(*std::exchange(standing.promotion, std::nullopt));
    leave_flow(standing);
    --size_;
}

void Queue::promote(SteadyTime now) {
    while (!promotions_.empty() && promotions_.begin()->first <= now) {
        auto& place = *promotions_.begin()->second;
        auto& standing = standing_of_(place);
        const auto due = promotions_.begin()->first;
        promotions_.erase(promotions_.begin());
        standing.promotion.reset();
        const auto index = class_of(standing) - 1;
        place.unlink();
        leave_flow(standing);
        enter(place, standing, index);
        if (index > 0) standing.promotion = promotions_.emplace(due + *standing.ticket.promote_after, &place);
    }
}

runtime::Link& Queue::take(SteadyTime now) {
    promote(now);
    auto& home = *std::find_if(classes_.begin(), classes_.end(), [](const auto& c) { return !c.active.empty(); });
    auto& flow = *home.active.begin()->second;
    auto& place = *flow.waiting.next;
    auto& standing = standing_of_(place);
    home.now = flow.turn.first;
    home.active.erase(home.active.begin());
    flow.turn = {flow.turn.first + whole_turn / std::max(1u, standing.ticket.weight), ++activations_};
    home.active.emplace(flow.turn, &flow);
    place.unlink();
    left(standing);
    return place;
}

} // namespace wm::gate
