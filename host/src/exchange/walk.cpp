#include "exchange/walk.h"

#include "exchange/context.h"
#include "exchange/holder.h"
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

policy::Rank Walk::rank_at(const config::Target& target, const gate::Gate& gate) const {
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

// Every free target, in order; the full ones are left to be waited for.
std::optional<Chosen> Walk::look_at(std::uint32_t layer, std::vector<Waited>& full) {
    const auto& targets = x_.model->layers[layer].targets;
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
                full.push_back({layer, &target});
                continue;
            }
            permit = std::move(*free);
        }
        if (auto chosen = take(layer, target, std::move(permit))) return chosen;
    }
    return std::nullopt;
}

// Up to the first layer that has a full target, or as far as it has got before.
std::optional<Chosen> Walk::look(Line& line, std::vector<Waited>& full) {
    seen_ = {.pinned = only_holder_continues(x_.settings(), x_)};
    probing_ = false;
    for (std::uint32_t layer = 0; layer < x_.model->layers.size(); ++layer) {
        if (layer >= line.layers && !full.empty()) break;
        if (auto chosen = look_at(layer, full)) return chosen;
        if (!full.empty()) line.layers = std::max(line.layers, layer + 1);
    }
    return std::nullopt;
}

// One for each place; of the targets there the first stays.
std::vector<gate::Gate::Choice> Walk::choices_of(Line& line, std::vector<Waited>& full) const {
    std::vector<gate::Gate::Choice> choices;
    std::vector<Waited> first;
    if (line.route.empty() && x_.endpoint) line.route = x_.endpoint->method + " " + x_.endpoint->path;
    for (const auto& waited : full) {
        const auto& target = *waited.target;
        const auto* place = x_.gates().place_of(target);
        const bool known = std::any_of(choices.begin(), choices.end(), [place](const auto& choice) {
            return choice.gate == place->gate.get() && choice.wait.part == place->part;
        });
        if (known) continue;
        auto& rank = line.ranks[target.id];
        if (!rank) rank = rank_at(target, *place->gate);
        choices.push_back({place->gate.get(),
                           {.part = place->part,
                            .depth = x_.settings().backends[target.backend].queue_depth,
                            .ticket = {rank->priority_class, rank->turn, rank->weight, rank->promote_after},
                            .route = line.route}});
        first.push_back(waited);
    }
    full = std::move(first);
    return choices;
}

Millis Walk::until_next_probe(Millis most) const {
    if (!seen_.next_probe_at_ms) return most;
    return std::min(most, Millis(*seen_.next_probe_at_ms - x_.wall_ms()));
}

// Waits at all full gates at once, until one of them has a permit, or it is worth another look. No place is lost by
// that.
runtime::Task<std::optional<Chosen>> Walk::wait_at_gates(Line& line, const std::vector<Waited>& full,
                                                         std::uint64_t seen) {
    auto patience = Millis(0); // the longest of all
    for (const auto& waited : full)
        patience = std::max(patience, x_.settings().backends[waited.target->backend].queue_timeout - x_.waited);
    x_.limited = true;
    const auto since = x_.now();
    auto granted = co_await line.entry.acquire(x_.worker.loop, x_.abort, until_next_probe(patience),
                                               x_.circuits().changes(), seen);
    const auto waited = std::chrono::duration_cast<Millis>(x_.now() - since);
    x_.waited += waited;
    switch (granted.status) {
    case runtime::Io::ok: break;
    case runtime::Io::failed: end(NoTarget::Why::queue_full); break;
    case runtime::Io::timed_out:
        if (waited >= patience) end(NoTarget::Why::queue_timeout);
        break;
    default: end(NoTarget::Why::client_gone);
    }
    if (!granted.permit) co_return std::nullopt;
    // The circuit may have opened meanwhile; then the permit goes back before another is sought.
    const auto [layer, target] = full[granted.choice];
    co_return take(layer, *target, std::move(granted.permit));
}

runtime::Task<> Walk::wait_for_probe(std::uint64_t seen) {
    if (!probe_deadline_) probe_deadline_ = x_.now() + x_.settings().server.route_probe_wait;
    const auto since = x_.now();
    const auto left = std::chrono::duration_cast<Millis>(*probe_deadline_ - since);
    if (left <= Millis(0)) {
        seen_.probe_awaited = true;
        end(NoTarget::Why::exhausted);
        co_return;
    }
    const auto waited =
        co_await x_.circuits().changes().changed(x_.worker.loop, x_.abort, seen, until_next_probe(left));
    x_.waited += std::chrono::duration_cast<Millis>(x_.now() - since);
    if (waited == runtime::Io::cancelled) end(NoTarget::Why::client_gone);
}

// Each change of a circuit, and each time at which one may be probed, makes it look again.
runtime::Task<std::variant<Chosen, NoTarget>> Walk::next() {
    Line line;
    for (ended_ = false; !ended_;) {
        const auto version = x_.circuits().changes().version();
        std::vector<Waited> full;
        if (auto chosen = look(line, full)) co_return std::move(*chosen);
        if (!full.empty() || line.layers > 0) line.entry.choose(choices_of(line, full));
        if (!full.empty()) {
            auto chosen = co_await wait_at_gates(line, full, version);
            if (chosen) co_return std::move(*chosen);
        } else if (probing_)
            co_await wait_for_probe(version);
        else
            end(NoTarget::Why::exhausted);
    }
    co_return seen_;
}

} // namespace wm::exchange
