#include "gate/queue.h"

#include <algorithm>

namespace wm::gate {

namespace {

constexpr std::uint64_t whole_turn = std::uint64_t(1) << 20;

void set_turn(detail::Flow& flow, detail::Turn turn) {
    auto& active = flow.home->active;
    for (auto& [lane, waiting] : flow.waiting) {
        if (waiting.alone()) continue;
        active[lane].erase(flow.turn);
        active[lane].emplace(turn, &flow);
    }
    flow.turn = turn;
}

} // namespace

void Queue::add(runtime::Link& place, SteadyTime now) {
    auto& standing = standing_of_(place);
    enter(place, standing, std::min(standing.ticket.priority_class, Ticket::classes - 1));
    if (class_of(standing) > 0 && standing.ticket.promote_after)
        standing.promotion = promotions_.emplace(now + *standing.ticket.promote_after, &place);
    if (standing.lane >= in_lane_.size()) in_lane_.resize(standing.lane + 1);
    ++in_lane_[standing.lane];
    if (!standing.counts) return;
    lines_.join(standing.route, standing.line, now);
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
    if (flow.size == 0) // who was away does not come back with turns saved up, nor rid of those it used
        flow.turn = {std::max(flow.turn.first, home.now), ++activations_};
    auto& waiting = flow.waiting[standing.lane];
    if (waiting.alone()) home.active[standing.lane].emplace(flow.turn, &flow);
    waiting.append(place);
    standing.flow = &flow;
    standing.arrival = ++arrivals_;
    ++flow.size;
    ++home.size;
}

// The place is unlinked already.
void Queue::leave_flow(Standing& standing) {
    auto& flow = *std::exchange(standing.flow, nullptr);
    auto& home = *flow.home;
    if (flow.waiting.at(standing.lane).alone()) home.active[standing.lane].erase(flow.turn);
    --flow.size;
    if (--home.size > 0) return;
    home.flows.clear(); // nobody competes: nothing is owed
    home.now = 0;
}

void Queue::leave(runtime::Link& place) {
    auto& standing = standing_of_(place);
    place.unlink();
    if (standing.promotion) promotions_.erase(*std::exchange(standing.promotion, std::nullopt));
    leave_flow(standing);
    --in_lane_[standing.lane];
    if (!standing.counts) return;
    lines_.leave(standing.route, standing.line);
    --size_;
}

void Queue::count_instead(runtime::Link& place, runtime::Link& other) {
    auto& from = standing_of_(place);
    auto& to = standing_of_(other);
    from.counts = false;
    to.counts = true;
    to.route = from.route;
    lines_.replace(from.line, to.line);
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

runtime::Link& Queue::first_of(detail::Flow& flow, std::span<const unsigned> lanes) const {
    runtime::Link* first = nullptr;
    for (const auto lane : lanes) {
        const auto found = flow.waiting.find(lane);
        if (found == flow.waiting.end() || found->second.alone()) continue;
        auto* place = found->second.next;
        if (!first || standing_of_(*place).arrival < standing_of_(*first).arrival) first = place;
    }
    return *first;
}

// The longest-waiting ones of all its lanes, in their order.
std::deque<const Queue::Standing*> Queue::first_of(const detail::Flow& flow, std::size_t most) const {
    std::deque<const Standing*> out;
    for (const auto& [lane, waiting] : flow.waiting) {
        std::size_t left = most;
        for (auto* place = waiting.next; place != &waiting && left > 0; place = place->next)
            if (const auto& standing = standing_of_(*place); standing.counts) out.push_back(&standing), --left;
    }
    std::sort(out.begin(), out.end(), [](auto* one, auto* other) { return one->arrival < other->arrival; });
    return out;
}

std::vector<const Queue::Standing*> Queue::first(std::size_t most) const {
    std::vector<const Standing*> out;
    auto activations = activations_;
    for (const auto& home : classes_) {
        std::map<detail::Turn, std::deque<const Standing*>> going;
        for (const auto& [lane, active] : home.active) {
            std::size_t left = most; // whoever has a later turn than so many others is not among the first
            for (auto flow = active.begin(); flow != active.end() && left > 0; ++flow, --left)
                if (auto waiting = first_of(*flow->second, most); !waiting.empty())
                    going.emplace(flow->first, std::move(waiting));
        }
        while (!going.empty() && out.size() < most) {
            auto next = going.extract(going.begin());
            auto& waiting = next.mapped();
            const auto weight = std::max(1u, waiting.front()->ticket.weight);
            out.push_back(waiting.front());
            waiting.pop_front();
            if (waiting.empty()) continue;
            next.key() = {next.key().first + whole_turn / weight, ++activations};
            going.insert(std::move(next));
        }
    }
    return out;
}

runtime::Link* Queue::next(SteadyTime now, std::span<const unsigned> lanes) {
    promote(now);
    for (auto& home : classes_) {
        detail::Flow* next = nullptr;
        for (const auto lane : lanes) {
            const auto found = home.active.find(lane);
            if (found == home.active.end() || found->second.empty()) continue;
            auto* flow = found->second.begin()->second;
            if (!next || flow->turn < next->turn) next = flow;
        }
        if (next) return &first_of(*next, lanes);
    }
    return nullptr;
}

void Queue::go(runtime::Link& next) {
    const auto& standing = standing_of_(next);
    auto& flow = *standing.flow;
    flow.home->now = flow.turn.first;
    set_turn(flow, {flow.turn.first + whole_turn / std::max(1u, standing.ticket.weight), ++activations_});
    leave(next);
}

} // namespace wm::gate
