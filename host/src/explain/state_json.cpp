#include "explain/state_json.h"

namespace wm::explain {

void write_circuit(JsonWriter& w, const routing::CircuitSnapshot& circuit) {
    using routing::CircuitMode;
    w.open('{').key("state").text(to_string(circuit.mode));
    if (circuit.mode != CircuitMode::closed) {
        const bool probing = circuit.mode == CircuitMode::half_open;
        w.key("reason").text(to_string(circuit.reason));
        w.key("level").number(circuit.levels[static_cast<unsigned char>(circuit.reason)]);
        w.key("since_ms").number(circuit.opened_at_ms);
        w.key("until_ms").number(probing ? circuit.probe_deadline_at_ms : circuit.next_probe_at_ms);
        w.key("consecutive_failures").number(circuit.consecutive_failures);
    }
    w.close('}');
}

void write_gate(JsonWriter& w, const gate::Gate::State& gate) {
    w.open('{')
        .key("limit")
        .number(gate.limit)
        .key("in_use")
        .number(gate.in_flight)
        .key("held")
        .number(gate.held)
        .key("waiting")
        .number(gate.waiting);
    w.key("waits").number(std::int64_t(gate.waits)).close('}');
}

void write_limiters(JsonWriter& w, const std::vector<gate::Gate::State>& limiters) {
    w.open('[');
    for (const auto& limiter : limiters) {
        w.open('{').key("limiter").text(limiter.name).key("gate");
        write_gate(w, limiter);
        w.close('}');
    }
    w.close(']');
}

void write_breaker(JsonWriter& w, const std::optional<mount::Breaker::State>& breaker) {
    if (!breaker) {
        w.null();
        return;
    }
    w.open('{').key("state").text(to_string(breaker->mode));
    w.key("failures_in_a_row").number(breaker->failures_in_a_row);
    if (breaker->mode == mount::Breaker::Mode::closed)
        w.key("failures").number(std::int64_t(breaker->failures));
    else
        w.key("until_probe_ms").number(breaker->until_probe.count());
    w.close('}');
}

} // namespace wm::explain
