#pragma once
// The words in which an explanation is given, as JSON and as text.
#include "explain/explain.h"

namespace wm::explain {

constexpr std::string_view to_string(Decision decision) {
    constexpr std::string_view names[] = {"refuse", "local", "attempt", "wait_at_gate", "wait_for_probe", "forward"};
    return names[static_cast<unsigned char>(decision)];
}

constexpr std::string_view to_string(exchange::EndpointKind kind) {
    constexpr std::string_view names[] = {"inference", "count_tokens", "models", "health", "ready"};
    return names[static_cast<unsigned char>(kind)];
}

using config::to_string;

// What would become of a target, were it looked at now.
constexpr std::string_view standing(const TargetView& view) {
    if (view.earlier) return "tried_in_an_earlier_layer";
    if (view.blocked) return view.blocked->probing ? "being_probed" : "circuit_open";
    if (view.queue_full) return "queue_full";
    if (!view.room) return "gate_full";
    return "free";
}

inline int status_of(const exchange::Refusal& refusal) {
    return refusal.status ? refusal.status : exchange::about(refusal.code).status;
}

} // namespace wm::explain
