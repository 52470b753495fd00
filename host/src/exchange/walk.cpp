#include "exchange/walk.h"

#include "exchange/context.h"
#include "exchange/order.h"

#include <algorithm>

namespace wm::exchange {

Walk::Walk(Context& x) : x_(x), orders_(x.model->layers.size()) {}

const Walk::Ordered& Walk::order_of(std::uint32_t index) {
    auto& ordered = orders_[index];
    if (ordered.asked && ordered.pinned == x_.holder.has_value()) return ordered;
    auto answer = order_targets(x_.settings(), x_.model->layers[index], x_, x_.policies(), x_.worker.random);
    ordered = {std::move(answer.order), std::move(answer.reason), true, x_.holder.has_value()};
    return ordered;
}

bool Walk::tried(std::uint32_t target_id) const {
    return std::find(tried_.begin(), tried_.end(), target_id) != tried_.end();
}

void Walk::note(const routing::Blocked& blocked) {
    probing_ = probing_ || blocked.probing;
    if (!seen_.next_probe_at_ms || blocked.next_probe_at_ms < *seen_.next_probe_at_ms)
        seen_.next_probe_at_ms = blocked.next_probe_at_ms;
}

std::optional<Chosen> Walk::take(std::uint32_t layer, const config::Target& target, gate::Gate::Permit permit) {
    auto admitted = x_.circuits().admit(target.id);
    if (const auto* blocked = std::get_if<routing::Blocked>(&admitted)) {
        note(*blocked);
        return std::nullopt;
    }
    tried_.push_back(target.id);
    return Chosen{&x_.model->layers[layer],
                  layer,
                  &target,
                  orders_[layer].reason,
                  std::move(permit),
                  std::get<routing::Pass>(std::move(admitted))};
}

policy::Rank Walk::rank_at(const config::Target& target, const gate::Gate& gate) {
    const auto& backend = x_.settings().backends[target.backend];
    const auto& credential = backend.credentials[target.credential];
    return x_.policies().rank({.priority = to_string(x_.principal.priority),
                               .principal = x_.principal.name,
                               .served_model = x_.model->name,
                               .protocol = x_.protocol->about().id,
                               .stream = x_.facts.stream,
                               .text_bytes = x_.facts.text_bytes},
                              {.name = backend.name,
                               .order = backend.queue_order.word(),
                               .promote_after = backend.queue_order.promote_after,
                               .limit = credential.concurrency.value_or(backend.concurrency.value_or(0)),
                               .waiting = gate.waiting()});
}

// Every free target first, in order; only then the wait for a full one.
runtime::Task<Walk::Step> Walk::look_at(std::uint32_t layer) {
    const auto& targets = x_.model->layers[layer].targets;
    bool full = false;
    for (const auto i : order_of(layer).order) {
        const auto& target = targets[i];
        if (tried(target.id)) continue;
        if (const auto blocked = x_.circuits().blocked(target.id)) {
            note(*blocked);
            continue;
        }
        gate::Gate::Permit permit;
        if (const auto* place = x_.gates().place_of(target)) {
            auto free = place->gate->try_acquire(place->part);
            if (!free) {
                full = true;
                continue;
            }
            permit = std::move(*free);
        }
        if (auto chosen = take(layer, target, std::move(permit))) co_return Step{std::move(chosen), std::nullopt};
    }
    if (!full) co_return Step{};
    co_return co_await wait_in(layer);
}

Walk::Crowd Walk::crowd_in(std::uint32_t layer) {
    Crowd crowd;
    const auto& targets = x_.model->layers[layer].targets;
    crowd.ranks.reserve(targets.size());
    for (const auto i : order_of(layer).order) {
        const auto& target = targets[i];
        const auto* place = x_.gates().place_of(target);
        if (tried(target.id) || !place) continue;
        if (const auto blocked = x_.circuits().blocked(target.id)) {
            note(*blocked);
            continue;
        }
        const bool known = std::any_of(crowd.choices.begin(), crowd.choices.end(), [place](const auto& choice) {
            return choice.gate == place->gate.get() && choice.wait.part == place->part;
        });
        if (known) continue; // another target of the same credential comes first
        const auto& backend = x_.settings().backends[target.backend];
        const auto& rank = crowd.ranks.emplace_back(rank_at(target, *place->gate));
        crowd.targets.push_back(&target);
        crowd.choices.push_back({place->gate.get(),
                                 {.part = place->part,
                                  .depth = backend.queue_depth,
                                  .ticket = {rank.priority_class, rank.turn, rank.weight, rank.promote_after}}});
        crowd.patience = std::max(crowd.patience, backend.queue_timeout - x_.waited);
    }
    return crowd;
}

// Waits at all full gates of the layer at once, until one of them has a permit.
runtime::Task<Walk::Step> Walk::wait_in(std::uint32_t layer) {
    for (;;) {
        auto crowd = crowd_in(layer);
        if (crowd.choices.empty()) co_return Step{};
        const auto route = x_.endpoint ? x_.endpoint->method + " " + x_.endpoint->path : std::string();
        for (auto& choice : crowd.choices) choice.wait.route = route;
        const auto since = x_.now();
        auto granted = co_await gate::Gate::acquire_any(x_.worker.loop, x_.abort, crowd.patience, crowd.choices);
        x_.waited += std::chrono::duration_cast<Millis>(x_.now() - since);
        switch (granted.status) {
        case runtime::Io::ok: break;
        case runtime::Io::failed: co_return Step{std::nullopt, NoTarget::Why::queue_full};
        case runtime::Io::timed_out: co_return Step{std::nullopt, NoTarget::Why::queue_timeout};
        default: co_return Step{std::nullopt, NoTarget::Why::client_gone};
        }
        // The circuit may have opened meanwhile; then the permit goes back before another is sought.
        if (auto chosen = take(layer, *crowd.targets[granted.choice], std::move(granted.permit)))
            co_return Step{std::move(chosen), std::nullopt};
    }
}

runtime::Task<std::variant<Chosen, NoTarget>> Walk::next() {
    auto& changes = x_.circuits().changes();
    for (;;) {
        const auto version = changes.version();
        seen_ = {.pinned = x_.holder.has_value()};
        probing_ = false;
        for (std::uint32_t layer = 0; layer < x_.model->layers.size(); ++layer) {
            auto step = co_await look_at(layer);
            if (step.chosen) co_return std::move(*step.chosen);
            if (step.ended) {
                seen_.why = *step.ended;
                co_return seen_;
            }
        }
        if (!probing_) co_return seen_;
        if (!probe_deadline_) probe_deadline_ = x_.now() + x_.settings().server.route_probe_wait;
        const auto since = x_.now();
        const auto left = std::chrono::duration_cast<Millis>(*probe_deadline_ - since);
        if (left <= Millis(0)) break;
        const auto waited = co_await changes.changed(x_.worker.loop, x_.abort, version, left);
        x_.waited += std::chrono::duration_cast<Millis>(x_.now() - since);
        if (waited == runtime::Io::cancelled) {
            seen_.why = NoTarget::Why::client_gone;
            co_return seen_;
        }
    }
    seen_.probe_awaited = true;
    co_return seen_;
}

} // namespace wm::exchange
